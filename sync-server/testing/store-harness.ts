import type { FollowedBy } from '../effects/record-effects.ts';
import { sql as rawSql } from 'kysely';
import type { User } from '../../shared/tables/index.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import { createSqlStore } from '../store/sql-store.ts';
import type { SyncStore } from '../store/sync-store.ts';
import { createMemoryEngine } from './memory-store/memory-engine.ts';
import { createMemoryStore } from './memory-store/memory-store.ts';
import { databases, openTestDb } from './test-db.ts';

/** For `describe.each(stores)`: what holds in one must hold in the others. */
export const stores = ['memory', ...databases] as const;
export type StoreKind = (typeof stores)[number];

export interface StoreHarness {
  store: SyncStore;
  /** Deletes a row, as an operator does by hand. */
  remove(table: 'jobs' | 'interests', id: string): Promise<void>;
  /** What each recorded effect of this name is told. */
  effects(name: FollowedBy): Promise<object[]>;
  /** What was noted of this person's mutations that were sent again. */
  sentAgain(
    userId: string,
  ): Promise<
    { uid: string; timeline: string; version: string | null; became: string; first_at: Date; last_at: Date }[]
  >;
  homeowner(): Promise<User>;
  tradie(): Promise<User & { tradieId: string }>;
  close(): Promise<void>;
}

type Opened = Pick<StoreHarness, 'store' | 'remove' | 'effects' | 'sentAgain' | 'close'>;

const findFiles = (refs: readonly string[]) => Promise.resolve(new Map(refs.map((ref) => [ref, null])));

async function openSql(kind: (typeof databases)[number]): Promise<Opened> {
  const db = await openTestDb(kind);
  return {
    store: createSqlStore(db, (_sql, refs) => findFiles(refs)),
    remove: async (table, id) =>
      void (await rawSql`delete from ${rawSql.table(table)} where id = ${id}`.execute(db.sql)),
    effects: async (name) => {
      const rows = await db.sql.selectFrom('effect').select('payload').where('name', '=', name).execute();
      return rows.map(({ payload }) => payload);
    },
    sentAgain: (userId) =>
      db.sql
        .selectFrom('sync_sent_again')
        .select(['uid', 'timeline', 'version', 'became', 'first_at', 'last_at'])
        .where('user_id', '=', userId)
        .execute(),
    close: () => db.close(),
  };
}

function openMemory(): Opened {
  let timelines = 0;
  const engine = createMemoryEngine({
    clock: () => new Date(),
    newTimeline: () => `timeline-${(timelines += 1)}`,
    later: (act) => void setImmediate(act),
  });
  return {
    store: createMemoryStore({ engine, findFiles }),
    remove: async (table, id) => {
      const tx = engine.begin({}, 'write');
      await tx.hold(`${table}/${id}`);
      tx.remove(table, id);
      engine.commit(tx);
    },
    effects: async (name) =>
      [...(engine.committed().get('effect')?.values() ?? [])]
        .filter((row) => row['name'] === name)
        .map(({ payload }) => payload as object),
    sentAgain: async (userId) =>
      [...(engine.committed().get('sync_sent_again')?.values() ?? [])]
        .filter((row) => row['user_id'] === userId)
        .map(
          ({ uid, timeline, version = null, became, first_at, last_at }) =>
            ({ uid, timeline, version, became, first_at, last_at }) as never,
        ),
    close: async () => {},
  };
}

/** A store with nothing in it, over an empty database of its own. */
export async function openStoreHarness(kind: StoreKind): Promise<StoreHarness> {
  const opened = kind === 'memory' ? openMemory() : await openSql(kind);
  return {
    ...opened,
    async homeowner() {
      const user = makeUser();
      await opened.store.write((tx) => tx.insertRows('users', [user]));
      return user;
    },
    async tradie() {
      const user = makeUser({ subscriptionStatus: 'active' });
      const tradie = makeTradie({ userId: user.id });
      await opened.store.write(async (tx) => {
        await tx.insertRows('users', [user]);
        await tx.insertRows('tradies', [tradie]);
        await tx.updateRows('users', ['tradieId'], [{ ...user, tradieId: tradie.id }]);
      });
      return { ...user, tradieId: tradie.id };
    },
  };
}
