import { beforeEach, expect, test } from 'vitest';
import type { Delta } from '../../shared/protocol/exchange.ts';
import type { Job } from '../../shared/tables/index.ts';
import { createApplyHarness, type ApplyHarness } from '../testing/create-apply-harness.ts';
import { waitFor } from './wait-for.ts';

let harness: ApplyHarness;
let job: Job;
let uid: string;
/** A person's edit of their job was sent, and memory has what the disk has. */
beforeEach(async () => {
  harness = await createApplyHarness();
  await harness.db.rows.read();
  job = harness.own({ title: 'Old' });
  await harness.give({ puts: { jobs: [job] }, journal });
  ({ uid } = await harness.edit(job.id, 'Mine', 'Old'));
});

const journal: NonNullable<Delta['journal']> = { timeline: 'one', version: '5', known: {} };
const applied = (): Partial<Delta> => ({
  puts: { jobs: [{ ...job, title: 'Mine, as the server has it' }] },
  outcomes: [{ uid, status: 'applied' }],
  journal,
  cookie: 'c2',
});

/** Everything that screens showed, one after the other; `*` while the disk had the edit still. */
function watchScreen(): string[] {
  const { rows } = harness.db;
  const seen: string[] = [];
  rows.subscribe(() => {
    const waiting = [...rows.shown.outbox.values()].map(({ name }) => name).join();
    const now = `${rows.shown.jobs.get(job.id)?.title}; waiting: ${waiting}${rows.stored.outbox.has(uid) ? ' *' : ''}`;
    if (seen.at(-1) !== now) seen.push(now);
  });
  return seen;
}

test('what the server has applied is shown as sent before that is written, and screens are asked once', async () => {
  const { rows } = harness.db;
  const seen = watchScreen();
  const asked = () => [
    rows.version('jobs'),
    rows.version('outbox'),
    rows.version('meta/applied'),
    rows.version('meta/sent'),
  ];
  const before = asked();
  await harness.give(applied(), 'c1');
  expect(seen).toEqual(['Mine, as the server has it; waiting:  *', 'Mine, as the server has it; waiting: ']);
  expect(asked()).toEqual(before.map((version) => version + 1));
  expect([rows.shown.shadow.size, await harness.db.shadow.count(), await harness.db.outbox.count()]).toEqual([0, 0, 0]);
});

test('a row that the answer leaves out is shown as the server last had it', async () => {
  const seen = watchScreen();
  await harness.give({ ...applied(), puts: {} }, 'c1');
  expect(seen[0]).toBe('Old; waiting:  *');
  expect(await harness.job(job.id)).toEqual(job);
});

test('who waits for the outcome hears of it before it is written', async () => {
  const { db, ports } = harness;
  const heard = waitFor(db, ports.clock, uid, Infinity).then((decision) => [decision.kind, db.rows.stored.outbox.size]);
  await harness.give(applied(), 'c1');
  expect(await heard).toEqual(['applied', 1]);
});

test('where it cannot be written, the edit waits again, with its effect', async () => {
  const seen = watchScreen();
  harness.db.journal.bulkPut = () => Promise.reject(new DOMException('Disk error', 'UnknownError')) as never;
  await expect(harness.give(applied(), 'c1')).rejects.toThrow('Disk error');
  expect(seen).toEqual(['Mine, as the server has it; waiting:  *', 'Mine; waiting: job.edit *']);
  expect(await harness.db.outbox.count()).toBe(1);
});

test.each<[string, (another: string) => Partial<Delta>]>([
  ['leaves another one waiting', () => applied()],
  [
    'rejects one of them',
    (another) => ({
      outcomes: [...applied().outcomes!, { uid: another, status: 'refused', code: 'stale', message: 'No' }],
    }),
  ],
  [
    'is of another timeline of the server’s database',
    (another) => ({
      outcomes: [...applied().outcomes!, { uid: another, status: 'applied' }],
      journal: { ...journal, timeline: 'two' },
    }),
  ],
])('an answer that %s is shown when it is written', async (_case, answer) => {
  const { uid: another } = await harness.edit(job.id, 'Mine again', 'Mine');
  const seen = watchScreen();
  await harness.give({ ...applied(), ...answer(another) }, 'c1');
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((now) => now.endsWith('*'))).toEqual([]);
});
