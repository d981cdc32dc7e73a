import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { day } from '../../../shared/lib/durations.ts';
import shapes from '../../../shared/mutations/frozen-shapes.json' with { type: 'json' };
import { mutationNames } from '../../../shared/mutations/index.ts';
import { makeInterest, makeJob, makeSearch } from '../../../shared/testing/make.ts';
import { defaultPreferences } from '../../../shared/tables/preferences.ts';
import type { Tradie, User } from '../../../shared/tables/index.ts';
import { insertRows } from '../../db/write-rows.ts';
import { embeddedRetention } from '../../embedded/embedded-retention.ts';
import { createFileStore, type FileStore } from '../../embedded/storage/file-store.ts';
import { openSyncHarness, sent, type SyncHarness } from '../../testing/sync-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';
import { plainJobs } from './plain-jobs.ts';
import { runRetention } from './run-retention.ts';

/** The saved search that `search.move` names. */
const otherSearch = '019abcde-0000-7000-8000-000000000007';

describe.each(usualDatabase)('a mutation whose outcome was deleted, on %s', (kind) => {
  let harness: SyncHarness;
  let owner: User;
  let tradie: { user: User; tradie: Tradie };
  let folder: string;
  let files: FileStore;
  beforeEach(async () => {
    harness = await openSyncHarness(kind);
    owner = await harness.homeowner();
    tradie = await harness.tradie();
    folder = await mkdtemp(join(tmpdir(), 'dwang-retention-'));
    files = await createFileStore(folder);
  });
  afterEach(async () => {
    await harness.close();
    await rm(folder, { recursive: true });
  });

  const runAll = async () => {
    const retention = [...plainJobs, ...embeddedRetention(files)];
    await runRetention(
      { database: harness.db, clock: harness.now, log: harness.parts.log, retention },
      { dryRun: false },
    );
  };

  /*
   * Why 180 days are safe. A device drops a mutation from its outbox together with its outcome, so only one that lost
   * the answer and was then silent for half a year sends such a uid again. The same mutation is then decided anew; this
   * test checks that every shape has no effect the second time.
   */
  it('[S1][S6] a mutation that comes again after its outcome was deleted changes nothing: every shape ever shipped', async () => {
    const jobId = '019abcde-0000-7000-8000-000000000001';
    const everything = async () =>
      JSON.stringify(
        await Promise.all(
          ['users', 'tradies', 'jobs', 'interests', 'marks', 'searches', 'preferences'].map(
            async (table) => (await sql`select * from ${sql.table(table)} order by id`.execute(harness.db.sql)).rows,
          ),
        ),
      );
    const seen = new Set<string>();
    for (const { name, args } of shapes) {
      await sql`delete from interests`.execute(harness.db.sql);
      await sql`delete from jobs`.execute(harness.db.sql);
      for (const table of ['marks', 'searches', 'preferences'])
        await sql`delete from ${sql.table(table)}`.execute(harness.db.sql);
      const by = isOfTradie(name) ? tradie.user : owner;
      await prepare(name, args as Record<string, unknown>, jobId);
      const given = forThisHarness(name, args as Record<string, unknown>, by, jobId);
      const first = sent(name, given);
      await harness.ask(by, { mutations: [first] });
      const [outcome] = (
        await sql<{ status: string }>`select status from sync_mutation where uid = ${first.uid}`.execute(harness.db.sql)
      ).rows;
      if (outcome?.status === 'applied') seen.add(name);
      harness.pass(181 * day);
      await runAll();
      const before = await everything();
      const again = await harness.ask(by, { mutations: [sent(name, given, first.uid)] });
      expect(again).toMatchObject({ outcomes: [{ uid: first.uid }] });
      expect(await everything(), name).toBe(before);
    }
    // Each was really applied once; a mutation that is rejected twice proves nothing.
    expect([...seen].toSorted()).toEqual(mutationNames.toSorted());
  });

  async function prepare(name: string, args: Record<string, unknown>, jobId: string): Promise<void> {
    if (name === 'job.post') return;
    const base = (args['base'] ?? {}) as Record<string, unknown>;
    const asBefore = name === 'job.edit' ? base : {};
    const images = name === 'photo.remove' ? [photoOf(jobId)] : [];
    await insertRows(harness.db.sql, 'jobs', [makeJob({ id: jobId, userId: owner.id, images, ...asBefore })]);
    const { id, base: was = {} } = args as { id: string; base?: object };
    if (name.startsWith('search.') && name !== 'search.save') {
      await insertRows(harness.db.sql, 'searches', [
        makeSearch({ id, userId: tradie.user.id, categoryIds: [], ...was }),
        makeSearch({ id: otherSearch, userId: tradie.user.id, categoryIds: [] }),
      ]);
      await insertRows(harness.db.sql, 'preferences', [
        { ...defaultPreferences(tradie.user.id), searchOrder: [otherSearch, id] },
      ]);
    }
    if (['interest.tick', 'interest.see', 'interest.note'].includes(name))
      await insertRows(harness.db.sql, 'interests', [
        makeInterest({
          id: String(args['id']),
          jobId,
          tradieId: tradie.tradie.id,
          userId: tradie.user.id,
          ownerId: owner.id,
        }),
      ]);
  }

  const isOfTradie = (name: string) =>
    ['interest.express', 'profile.edit', 'job.mark', 'note.prepare'].includes(name) || name.startsWith('search.');

  const photoOf = (jobId: string) => `job-photos/${jobId}/1-a.jpg`;

  /** The frozen args, with the ids of this test's people, places and files. */
  function forThisHarness(
    name: string,
    args: Record<string, unknown>,
    by: User,
    jobId: string,
  ): Record<string, unknown> {
    if (name === 'job.post') return { ...args, categoryId: 'spouting', locationId: 'southland/winton' };
    if (name === 'photo.attach' || name === 'photo.remove') return { ...args, url: photoOf(jobId) };
    if (['note.prepare', 'seen.tell', 'alerts.choose'].includes(name)) return { ...args, id: by.id };
    if (name !== 'profile.edit') return args;
    const { set } = args as { set: Record<string, unknown> };
    const row = tradie.tradie as unknown as Record<string, unknown>;
    return {
      ...args,
      id: by.tradieId,
      set,
      base: Object.fromEntries(Object.keys(set).map((field) => [field, row[field]])),
    };
  }
});
