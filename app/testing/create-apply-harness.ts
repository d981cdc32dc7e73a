import type { Delta } from '../../shared/protocol/exchange.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { openPersonDb } from '../db/person-db.ts';
import { applyAnswer } from '../sync/apply-answer.ts';
import { mutate } from '../sync/mutate.ts';

export type ApplyHarness = Awaited<ReturnType<typeof createApplyHarness>>;

/** The instant by the device's clock. */
export const now = Date.UTC(2026, 4, 1);

function delta(changes: Partial<Delta>): Delta {
  return {
    kind: 'delta',
    puts: {},
    removes: {},
    shelves: {},
    outcomes: [],
    cookie: 'c1',
    more: false,
    serverTime: new Date(now).toISOString(),
    ...changes,
  };
}

/** A person’s database, led by epoch 1, and answers of the server applied to it. */
export async function createApplyHarness() {
  const userId = makeTestId();
  const db = openPersonDb(userId);
  const clock = { now: () => now, setTimer: () => () => undefined };
  const random = seededRandom(3);
  await db.meta.put({ key: 'leader', value: { epoch: 1, beat: 0 } });
  const ports = { db, userId, clock, random, collections: { find: async () => undefined } };
  const own = (changes: Parameters<typeof makeJob>[0] = {}) => makeJob({ userId, ...changes });
  const give = (answer: Partial<Delta>, cookie: string | null = null) =>
    applyAnswer(ports, { epoch: 1, cookie }, delta(answer));
  const edit = (id: string, title: string, base: string) =>
    mutate(ports, 'job.edit', { id, set: { title }, base: { title: base } });
  const job = (id: string) => db.jobs.get(id);
  const meta = async (key: 'cookie' | 'snapshot' | 'canary' | 'lastSynced') => (await db.meta.get(key))?.value;
  return { db, ports, own, give, edit, job, meta };
}
