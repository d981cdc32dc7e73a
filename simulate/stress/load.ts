import { seededRandom, type SeededRandom } from '../../shared/testing/random-source.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { Database, Sql } from '../../sync-server/db/database.ts';
import { insertRows, writable } from '../../sync-server/db/write-rows.ts';
import type { Ask } from './ask.ts';
import { readDecided } from './audit.ts';
import { createStressDevice, type StressDevice } from './device.ts';
import { createHomeowner, createTradie, type OpenJobs, type Person } from './workload.ts';

export interface Member {
  readonly device: StressDevice;
  readonly person: Person;
  readonly random: SeededRandom;
}

/** Two devices for every person; every third person is a tradie. */
export async function createLoad({
  database,
  people,
  seed,
  askAs,
}: {
  database: Database;
  people: number;
  seed: number;
  askAs: (userId: string) => Promise<Ask>;
}): Promise<Member[]> {
  const board: OpenJobs = { open: [] };
  const members: Member[] = [];
  for (let at = 0; at < people; at += 1) {
    const isTradie = at % 3 === 2;
    const userId = await settle(database, isTradie);
    for (const which of [0, 1]) {
      const random = seededRandom(seed * 10_000 + at * 2 + which);
      const device = createStressDevice(userId, await askAs(userId), (uids) => undecided(database.sql, uids));
      members.push({ device, random, person: (isTradie ? createTradie : createHomeowner)(device, random, board) });
    }
  }
  return members;
}

async function settle(database: Database, isTradie: boolean): Promise<string> {
  const user = makeUser(isTradie ? { subscriptionStatus: 'active' } : {});
  await database.transaction(async (sql) => {
    await insertRows(sql, 'users', [user]);
    if (!isTradie) return;
    const tradie = makeTradie({ userId: user.id });
    await insertRows(sql, 'tradies', [tradie]);
    await writable(sql).updateTable('users').set({ tradie_id: tradie.id }).where('id', '=', user.id).execute();
  });
  return user.id;
}

/**
 * When a device is told an outcome, every other reader must find it committed: read over a connection that no server
 * shares.
 */
async function undecided(sql: Sql, uids: readonly string[]): Promise<string[]> {
  if (uids.length === 0) return [];
  const decided = await readDecided(sql, uids);
  return uids.filter((uid) => !decided.has(uid));
}
