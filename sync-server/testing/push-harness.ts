import { sql as rawSql } from 'kysely';
import type { Outcome } from '../../shared/protocol/exchange.ts';
import type { Database } from '../db/database.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { readOutcomes } from '../sync/claims.ts';
import { push } from '../sync/push.ts';
import { openSyncHarness } from './sync-harness.ts';
import type { databases } from './test-db.ts';

export type PushHarness = Awaited<ReturnType<typeof openPushHarness>>;

/** A server's push alone, with a homeowner, and what it wrote. */
export async function openPushHarness(kind: (typeof databases)[number]) {
  const harness = await openSyncHarness(kind);
  const owner = await harness.homeowner();
  return {
    ...harness,
    owner,
    jobs: async () =>
      (
        await rawSql<{
          id: string;
          title: string;
          status: string;
          images: string[];
        }>`select id, title, status, images from jobs order by title, id`.execute(harness.db.sql)
      ).rows,
    /** The outcomes in the order of the mutations. */
    outcomesOf: async (mutations: readonly { uid: string }[], user = owner): Promise<(Outcome | undefined)[]> => {
      const uids = mutations.map(({ uid }) => uid);
      const found = (await readOutcomes(harness.parts.store.single, user.id, uids)).map(({ outcome }) => outcome);
      return uids.map((uid) => found.find((outcome) => outcome.uid === uid));
    },
    push: (mutations: Parameters<typeof push>[2], user = owner, database: Database = harness.db) =>
      push({ ...harness.parts, store: createSqlStore(database) }, { userId: user.id }, mutations),
  };
}
