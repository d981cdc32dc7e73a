-- Buckets and access rules of a hosted project. Storage keeps who put a file there, and that is who may replace and remove it:
-- a path names no person. What a job or a profile shows is judged by the product, by path and by owner.
-- Run once in the SQL editor, and again after an update. Reading goes by public address, which asks no policy.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('job-photos', 'job-photos', true, 5242880, array['image/jpeg', 'image/png', 'image/webp']),
  ('tradie-logos', 'tradie-logos', true, 5242880, array['image/jpeg', 'image/png', 'image/webp'])
on conflict (id) do update
  set public = excluded.public,
      file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;

-- Of an earlier version: they held people to a folder named by their own id, which then stood in every address.
drop policy if exists "People add files to their own folder" on storage.objects;

drop policy if exists "People see their own files" on storage.objects;
create policy "People see their own files" on storage.objects
  for select to authenticated
  using (bucket_id in ('job-photos', 'tradie-logos') and owner_id = (select auth.uid())::text);

drop policy if exists "People add files of their own" on storage.objects;
create policy "People add files of their own" on storage.objects
  for insert to authenticated
  with check (bucket_id in ('job-photos', 'tradie-logos') and owner_id = (select auth.uid())::text);

drop policy if exists "People replace their own files" on storage.objects;
create policy "People replace their own files" on storage.objects
  for update to authenticated
  using (bucket_id in ('job-photos', 'tradie-logos') and owner_id = (select auth.uid())::text)
  with check (bucket_id in ('job-photos', 'tradie-logos') and owner_id = (select auth.uid())::text);

drop policy if exists "People remove their own files" on storage.objects;
create policy "People remove their own files" on storage.objects
  for delete to authenticated
  using (bucket_id in ('job-photos', 'tradie-logos') and owner_id = (select auth.uid())::text);
