-- Buckets and access rules of a hosted project: the same as checkBucket, checkKey and isOwnKey hold to here.
-- Run once in the SQL editor. Reading goes by public address, which asks no policy.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('job-photos', 'job-photos', true, 5242880, array['image/jpeg', 'image/png', 'image/webp']),
  ('tradie-logos', 'tradie-logos', true, 5242880, array['image/jpeg', 'image/png', 'image/webp'])
on conflict (id) do update
  set public = excluded.public,
      file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;

drop policy if exists "People see their own files" on storage.objects;
create policy "People see their own files" on storage.objects
  for select to authenticated
  using (bucket_id in ('job-photos', 'tradie-logos') and (storage.foldername(name))[1] = (select auth.uid())::text);

drop policy if exists "People add files to their own folder" on storage.objects;
create policy "People add files to their own folder" on storage.objects
  for insert to authenticated
  with check (bucket_id in ('job-photos', 'tradie-logos') and (storage.foldername(name))[1] = (select auth.uid())::text);

drop policy if exists "People replace their own files" on storage.objects;
create policy "People replace their own files" on storage.objects
  for update to authenticated
  using (bucket_id in ('job-photos', 'tradie-logos') and (storage.foldername(name))[1] = (select auth.uid())::text)
  with check (bucket_id in ('job-photos', 'tradie-logos') and (storage.foldername(name))[1] = (select auth.uid())::text);

drop policy if exists "People remove their own files" on storage.objects;
create policy "People remove their own files" on storage.objects
  for delete to authenticated
  using (bucket_id in ('job-photos', 'tradie-logos') and (storage.foldername(name))[1] = (select auth.uid())::text);
