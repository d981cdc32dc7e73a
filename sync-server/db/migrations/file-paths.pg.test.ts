import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeJob, makeTradie, makeUser } from '../../../shared/testing/make.ts';
import { findEmbeddedFiles } from '../../embedded/storage/find-files.ts';
import { databases, openTestDb, type TestDatabase } from '../../testing/test-db.ts';
import { insertRows } from '../write-rows.ts';

describe.each(databases)('a database whose photos were kept by address, on %s', (kind) => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await openTestDb(kind);
    await sql`drop index embedded.objects_former_name`.execute(db.sql);
    await sql`alter table embedded.objects drop column former_name`.execute(db.sql);
    await sql`delete from mikro_orm_migrations where name = '0010-file-paths'`.execute(db.sql);
  });
  afterEach(() => db.close());

  const put = (bucket: string, name: string, ownerId: string | null) =>
    sql`insert into embedded.objects
    (id, bucket_id, name, owner_id, version, size, mime_type, cache_control, md5, created_at, updated_at)
    values (${randomUUID()}, ${bucket}, ${name}, ${ownerId}, ${randomUUID()}, 1, 'image/png', '', '', now(), now())`.execute(
      db.sql,
    );

  it('keeps bucket and path of them, in their order, and no row or file names its owner any more', async () => {
    const [owner, business] = [makeUser(), makeUser()];
    const at = (bucket: string, name: string) =>
      `https://old.example.nz/storage/v1/object/public/${bucket}/${encodeURI(name)}`;
    const job = makeJob({ userId: owner.id });
    const names = [
      `${owner.id}/${job.id}/2-b.jpg`,
      `${owner.id}/${job.id}/1-a.jpg`,
      `${owner.id}/${job.id}/3-not-in-storage.jpg`,
    ];
    for (const name of names.slice(0, 2)) await put('job-photos', name, owner.id);
    await put('job-photos', 'brand/banner.jpg', null);
    await put('tradie-logos', `${business.id}/my logo.png`, business.id);
    const tradie = makeTradie({ userId: business.id, logo: at('tradie-logos', `${business.id}/my logo.png`) });
    const plain = makeJob({ userId: owner.id, images: [] });
    await insertRows(db.sql, 'users', [owner, business]);
    await insertRows(db.sql, 'tradies', [tradie]);
    await insertRows(db.sql, 'jobs', [{ ...job, images: names.map((name) => at('job-photos', name)) }, plain]);
    await sql`insert into shelf_segment values (${'0'.repeat(64)}, 'feed', 1, 1, '', '', now())`.execute(db.sql);
    await sql`insert into shelf_manifest (shelf, version, shape, segments, sealed_at) values ('feed', 7, 'as it was', '[]', now())`.execute(
      db.sql,
    );
    const {
      rows: [before],
    } = await sql<{ head: string }>`select max(version) as head from sync_change`.execute(db.sql);

    await db.migrate();
    const { rows: jobs } = await sql<{ images: string[] }>`select images from jobs where id = ${job.id}`.execute(
      db.sql,
    );
    // What is not in this storage (a hosted project's) keeps its path.
    expect(jobs).toEqual([
      { images: [`job-photos/${job.id}/2-b.jpg`, `job-photos/${job.id}/1-a.jpg`, `job-photos/${names[2]}`] },
    ]);
    const { rows: logos } = await sql<{ logo: string }>`select logo from tradies`.execute(db.sql);
    expect(logos[0]?.logo).toMatch(/^tradie-logos\/[0-9a-f-]{36}\/my logo\.png$/);
    const { rows: files } = await sql<{ name: string }>`select name from embedded.objects order by name`.execute(
      db.sql,
    );
    expect(files.filter(({ name }) => name.includes(owner.id) || name.includes(business.id))).toEqual([]);
    expect(files.map(({ name }) => name)).toContain('brand/banner.jpg');

    const old = `job-photos/${names[0]}`;
    expect(
      await findEmbeddedFiles({ has: async () => true })(db.sql, [old, 'job-photos/nowhere.jpg', logos[0]!.logo]),
    ).toEqual(
      new Map([
        [old, { ownerId: owner.id, ref: `job-photos/${job.id}/2-b.jpg` }],
        ['job-photos/nowhere.jpg', null],
        [logos[0]!.logo, { ownerId: business.id, ref: logos[0]!.logo }],
      ]),
    );
    // Devices hear of it; rows that have no photos are left alone; the snapshots that hold addresses are built anew.
    const { rows: changed } = await sql<{
      entity_id: string;
    }>`select entity_id from sync_change where version > ${before?.head}`.execute(db.sql);
    expect(changed.map(({ entity_id: id }) => id).toSorted()).toEqual([job.id, tradie.id].toSorted());
    expect((await sql`select 1 from shelf_segment`.execute(db.sql)).rows).toEqual([]);
    expect((await sql`select shape, version::int from shelf_manifest`.execute(db.sql)).rows).toEqual([
      { shape: '', version: 7 },
    ]);
  });
});
