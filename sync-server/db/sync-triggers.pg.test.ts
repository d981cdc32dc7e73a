import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Interest, Job, Tradie, User } from '../../shared/tables/index.ts';
import { makeInterest, makeJob, makeReference, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { databases, openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { installSyncTriggers } from './install-sync-triggers.ts';
import { insertRows } from './write-rows.ts';
import { syncChannel } from './sync-triggers.ts';

interface Change {
  entity: string;
  entity_id: string;
  audience: string[];
  shelf: string | null;
  version: string;
  deleted: boolean;
}

describe.each(databases)('every commit records what it changed, on %s', (kind) => {
  let db: TestDatabase;
  let owner: User, tradiePerson: User, tradie: Tradie, job: Job;
  beforeAll(async () => {
    db = await openTestDb(kind);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await sql`update users set tradie_id = null`.execute(db.sql);
    for (const table of ['interests', 'jobs', 'tradies', 'users', 'reference', 'sync_change'])
      await sql`delete from ${sql.table(table)}`.execute(db.sql);
    [owner, tradiePerson] = [makeUser(), makeUser()];
    tradie = makeTradie({ userId: tradiePerson.id });
    job = makeJob({ userId: owner.id });
    await db.transaction(async (tx) => {
      await insertRows(tx, 'users', [owner, tradiePerson]);
      await insertRows(tx, 'tradies', [tradie]);
      await insertRows(tx, 'jobs', [job]);
    });
  });

  const changes = async (after = '-1') =>
    (
      await sql<Change>`select entity, entity_id, audience, shelf, version, deleted from sync_change where version > ${after} order by version, entity, entity_id`.execute(
        db.sql,
      )
    ).rows;
  /** Who began or ceased to see a row that did not change itself. */
  const accesses = async (after = '-1') =>
    (
      await sql<{ entity: string; entity_id: string; person: string }>`select entity, entity_id, person from sync_access
        where version > ${after} order by entity, entity_id, person`.execute(db.sql)
    ).rows;
  const head = async () =>
    (await sql<{ head: string }>`select max(version) as head from sync_change`.execute(db.sql)).rows[0]!.head;
  const people = (...users: User[]) => users.map(({ id }) => id).toSorted();
  const express = async (): Promise<Interest> => {
    const interest = makeInterest({ jobId: job.id, tradieId: tradie.id, userId: tradiePerson.id, ownerId: owner.id });
    await insertRows(db.sql, 'interests', [interest]);
    return interest;
  };

  it('[S3] one version for all rows of a transaction, each with its people and its collection', async () => {
    const found = await changes();
    expect(new Set(found.map(({ version }) => version)).size).toBe(1);
    expect(found.map(({ version: _, ...change }) => change)).toEqual([
      { entity: 'jobs', entity_id: job.id, audience: [owner.id], shelf: 'feed', deleted: false },
      { entity: 'tradies', entity_id: tradie.id, audience: [tradiePerson.id], shelf: 'directory', deleted: false },
      ...people(owner, tradiePerson).map((id) => ({
        entity: 'users',
        entity_id: id,
        audience: [id],
        shelf: null,
        deleted: false,
      })),
    ]);
  });

  it('[S4] an interest brings the job to the tradie and the tradie’s profile to the owner', async () => {
    const before = await head();
    const interest = await express();
    const both = people(owner, tradiePerson);
    expect((await changes(before)).map(({ version: _, ...change }) => change)).toEqual([
      { entity: 'interests', entity_id: interest.id, audience: both, shelf: null, deleted: false },
    ]);
    expect(await accesses(before)).toEqual([
      { entity: 'jobs', entity_id: job.id, person: tradiePerson.id },
      { entity: 'tradies', entity_id: tradie.id, person: owner.id },
    ]);
  });

  it('[S4] an interest is no news of the tradie’s profile to the tradie, nor to those whose jobs they answered before', async () => {
    await express();
    const [another, theirs] = [makeUser(), makeJob()];
    await insertRows(db.sql, 'users', [another]);
    await insertRows(db.sql, 'jobs', [{ ...theirs, userId: another.id }]);
    const before = await head();
    const between = { tradieId: tradie.id, userId: tradiePerson.id, ownerId: another.id };
    await insertRows(db.sql, 'interests', [makeInterest({ jobId: theirs.id, ...between })]);
    expect((await changes(before)).map(({ entity }) => entity)).toEqual(['interests']);
    expect((await accesses(before)).filter(({ entity }) => entity === 'tradies')).toEqual([
      { entity: 'tradies', entity_id: tradie.id, person: another.id },
    ]);
    await sql`update tradies set description = 'new' where id = ${tradie.id}`.execute(db.sql);
    expect((await changes()).at(-1)).toMatchObject({
      entity: 'tradies',
      audience: people(owner, another, tradiePerson),
    });
  });

  it('[S4] who was told of a row by an interest alone hears that it has gone, also when the interest went before', async () => {
    const interest = await express();
    await sql`delete from interests where id = ${interest.id}`.execute(db.sql);
    await sql`delete from sync_change where entity = 'jobs'`.execute(db.sql);
    await sql`delete from jobs where id = ${job.id}`.execute(db.sql);
    expect((await changes()).at(-1)).toMatchObject({
      entity: 'jobs',
      deleted: true,
      audience: people(owner, tradiePerson),
    });
  });

  it('[S4] the audience keeps who could see the row before it moved or went', async () => {
    const other = makeUser();
    await insertRows(db.sql, 'users', [other]);
    // As if the change row had been lost: the row's earlier values must still count.
    await sql`delete from sync_change where entity = 'jobs'`.execute(db.sql);
    await sql`update jobs set user_id = ${other.id}, status = 'closed' where id = ${job.id}`.execute(db.sql);
    expect((await changes()).find(({ entity }) => entity === 'jobs')).toMatchObject({
      audience: people(owner, other),
      shelf: 'feed',
      deleted: false,
    });
    await sql`delete from jobs where id = ${job.id}`.execute(db.sql);
    expect((await changes()).at(-1)).toMatchObject({
      entity: 'jobs',
      audience: people(owner, other),
      shelf: 'feed',
      deleted: true,
    });
  });

  it('[S4] an interest that moves to another job is told to its tradie of both; one that goes, to both of its people', async () => {
    const interest = await express();
    const next = makeJob({ userId: owner.id, status: 'closed' });
    await insertRows(db.sql, 'jobs', [next]);
    let before = await head();
    await sql`update interests set job_id = ${next.id} where id = ${interest.id}`.execute(db.sql);
    const moved = (await accesses(before)).filter(({ entity }) => entity === 'jobs');
    expect(new Set(moved.map(({ entity_id, person }) => [entity_id, person].join()))).toEqual(
      new Set([job.id, next.id].map((id) => [id, tradiePerson.id].join())),
    );
    before = await head();
    await sql`delete from interests where id = ${interest.id}`.execute(db.sql);
    expect((await changes(before)).map(({ entity, deleted }) => [entity, deleted])).toEqual([['interests', true]]);
    expect((await accesses(before)).map(({ entity, person }) => [entity, person])).toEqual([
      ['jobs', tradiePerson.id],
      ['tradies', owner.id],
    ]);
  });

  it('a job that was active when it closed is a change of the collection; one that never was, is not', async () => {
    await sql`delete from sync_change where entity = 'jobs'`.execute(db.sql);
    await sql`update jobs set status = 'closed' where id = ${job.id}`.execute(db.sql);
    expect((await changes()).at(-1)).toMatchObject({ entity_id: job.id, shelf: 'feed' });
    const closed = makeJob({ userId: owner.id, status: 'closed' });
    await insertRows(db.sql, 'jobs', [closed]);
    expect((await changes()).at(-1)).toMatchObject({ entity_id: closed.id, shelf: null });
  });

  it('an update that changes nothing, and a transaction that fails, leave no trace', async () => {
    const before = await head();
    await sql`update jobs set title = title`.execute(db.sql);
    await expect(
      db.transaction(async (tx) => {
        await sql`update jobs set title = 'x'`.execute(tx);
        await sql`select 1 / 0`.execute(tx);
      }),
    ).rejects.toMatchObject({ code: '22012' });
    expect(await changes(before)).toEqual([]);
  });

  it('[I14] keeps one change row an entity, however often it changes', async () => {
    for (const title of ['a', 'b', 'c'])
      await sql`update jobs set title = ${title} where id = ${job.id}`.execute(db.sql);
    expect((await changes()).filter(({ entity }) => entity === 'jobs')).toHaveLength(1);
  });

  it('a version drawn inside a savepoint that was rolled back is not used after it', async () => {
    const before = await head();
    await db.transaction(async (tx) => {
      await sql`savepoint one`.execute(tx);
      await sql`update jobs set title = 'x'`.execute(tx);
      await sql`set constraints all immediate`.execute(tx);
      await sql`rollback to savepoint one`.execute(tx);
      await sql`update users set first_name = 'Hemi'`.execute(tx);
    });
    const found = await changes(before);
    expect(found.map(({ entity }) => entity)).toEqual(['users', 'users']);
    expect(new Set(found.map(({ version }) => version)).size).toBe(1);
  });

  it('[S3] what is written while constraints are immediate is recorded at once', async () => {
    const before = await head();
    await db.transaction(async (tx) => {
      await sql`set constraints all immediate`.execute(tx);
      for (const title of ['x', 'y']) {
        await sql`delete from sync_change where entity = 'jobs'`.execute(tx);
        await sql`update jobs set title = ${title}`.execute(tx);
        expect((await sql`select from sync_change where entity = 'jobs'`.execute(tx)).rows).toHaveLength(1);
      }
      await sql`set constraints all deferred`.execute(tx);
      await sql`update users set first_name = 'Later' where id = ${owner.id}`.execute(tx);
    });
    expect((await changes(before)).map(({ entity }) => entity)).toEqual(['jobs', 'users']);
  });

  it('[S3] what was recorded inside a savepoint that was rolled back is recorded at COMMIT', async () => {
    const before = await head();
    await db.transaction(async (tx) => {
      await sql`update jobs set title = 'before it'`.execute(tx);
      await sql`savepoint one`.execute(tx);
      await sql`update users set first_name = 'Rolled back'`.execute(tx);
      await sql`set constraints all immediate`.execute(tx);
      await sql`rollback to savepoint one`.execute(tx);
    });
    expect((await changes(before)).map(({ entity }) => entity)).toEqual(['jobs']);
  });

  it('records each row once a transaction, however many rows and statements touched it', async () => {
    await sql`create table written (entity text)`.execute(db.sql);
    await sql`create function note_written() returns trigger language plpgsql as $$ begin insert into written values (new.entity); return null; end $$`.execute(
      db.sql,
    );
    await sql`create trigger note_written after insert or update on sync_change for each row execute function note_written()`.execute(
      db.sql,
    );
    const jobs = Array.from({ length: 20 }, () => makeJob({ userId: owner.id }));
    await db.transaction(async (tx) => {
      await insertRows(tx, 'jobs', jobs);
      const between = { tradieId: tradie.id, userId: tradiePerson.id, ownerId: owner.id };
      await insertRows(
        tx,
        'interests',
        jobs.map(({ id }) => makeInterest({ jobId: id, ...between })),
      );
      await sql`update jobs set interest_count = 1`.execute(tx);
    });
    const { rows } = await sql<{
      entity: string;
      n: number;
    }>`select entity, count(*)::int as n from written group by entity order by entity`.execute(db.sql);
    await sql`drop trigger note_written on sync_change`.execute(db.sql);
    expect(rows).toEqual([
      { entity: 'interests', n: 20 },
      { entity: 'jobs', n: 21 },
    ]);
    expect((await accesses()).filter(({ entity_id: id }) => id === tradie.id)).toHaveLength(1);
  });

  it('follows a row to another id', async () => {
    const before = await head();
    const next = makeJob({ userId: owner.id });
    await sql`update jobs set id = ${next.id} where id = ${job.id}`.execute(db.sql);
    const found = await changes(before);
    expect(new Map(found.map(({ entity_id, deleted, shelf }) => [entity_id, [deleted, shelf]]))).toEqual(
      new Map([
        [job.id, [true, 'feed']],
        [next.id, [false, 'feed']],
      ]),
    );
  });

  it('says one notice a commit, with its version', async () => {
    const heard = vi.fn();
    await db.listen(syncChannel, heard);
    await db.transaction(async (tx) => {
      await insertRows(tx, 'jobs', [makeJob({ userId: owner.id }), makeJob({ userId: owner.id })]);
      await insertRows(tx, 'reference', [makeReference()]);
    });
    await vi.waitFor(async () => expect(heard.mock.calls).toEqual([[await head()]]), 10_000);
  });

  it('rejects TRUNCATE, which no row trigger sees', async () => {
    await expect(sql`truncate interests`.execute(db.sql)).rejects.toMatchObject({ code: '0A000' });
  });

  it('is installed again where this code generates something else, and then records what was missed', async () => {
    const before = await changes();
    await sql`alter table jobs disable trigger sync_changed`.execute(db.sql);
    const unseen = makeJob({ userId: owner.id });
    await insertRows(db.sql, 'jobs', [unseen]);
    await installSyncTriggers(db.orm);
    expect(await changes()).toEqual(before);
    await sql`update sync_meta set triggers_hash = 'older'`.execute(db.sql);
    await installSyncTriggers(db.orm);
    const added = (await changes()).filter((change) => !before.some(({ entity_id }) => entity_id === change.entity_id));
    expect(added).toMatchObject([{ entity: 'jobs', entity_id: unseen.id, audience: [owner.id], shelf: 'feed' }]);
    expect((await changes()).filter((change) => change.entity_id !== unseen.id)).toEqual(before);
    await sql`update jobs set title = 'seen' where id = ${unseen.id}`.execute(db.sql);
    const [newest] = (await changes()).filter((change) => change.entity_id === unseen.id);
    expect(BigInt(newest!.version)).toBeGreaterThan(BigInt(added[0]!.version));
  });
});
