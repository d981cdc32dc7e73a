import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Delta, ExchangeRequest, SentMutation } from '../../shared/protocol/exchange.ts';
import type { User } from '../../shared/tables/index.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import type { Database } from '../db/database.ts';
import { startNewTimeline, type Timeline } from '../db/new-timeline.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { copyDatabase, type DatabaseCopy } from '../testing/copy-database.ts';
import { openSyncHarness, post, sent, type SyncHarness } from '../testing/sync-harness.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { tombstoneMs } from './purge-tombstones.ts';
import { restoreWait } from './restoring.ts';

/*
 * What devices send again to a restored database. A new timeline on both databases is in put-back.pg.test.ts.
 */

let harness: SyncHarness;
let owner: User;
let tradie: User;
let backup: DatabaseCopy | undefined;
let restored: Database | undefined;
beforeEach(async () => {
  harness = await openSyncHarness('postgres');
  owner = await harness.homeowner();
  tradie = (await harness.tradie()).user;
});
afterEach(async () => {
  await backup?.discard();
  backup = undefined;
  restored = undefined;
  await harness.close();
});

const exchange = async (user: User, request: Partial<ExchangeRequest>, over?: Exchange): Promise<Delta> => {
  const answer = await harness.ask(user, { journal: [], ...request }, over);
  if (answer.kind !== 'delta') throw new Error(`a ${answer.kind}`);
  return answer;
};
/** A backup of now; the returned function restores it. */
async function backUp(): Promise<() => Promise<{ timeline: Timeline; over: Exchange }>> {
  const kept = await copyDatabase(harness.db);
  backup = kept;
  return async () => {
    restored = await kept.open();
    const timeline = await startNewTimeline(restored.sql);
    await sql`update sync_timeline set began_at = ${harness.now()}`.execute(restored.sql);
    return { timeline, over: createExchange({ ...harness.parts, store: createSqlStore(restored) }) };
  };
}
const again = (mutation: SentMutation, { journal }: Delta): SentMutation => {
  const { timeline, version } = must(journal, 'journal');
  return { ...mutation, from: { timeline, version } };
};
const express = (jobId: string) => sent('interest.express', { id: makeTestId(), jobId });

it('[S13] a device learns up to which version the new timeline has the one it was told of, and of an unknown one nothing', async () => {
  const [known, lost] = [post(), post()];
  const before = await exchange(owner, { mutations: [known] });
  const restore = await backUp();
  const after = await exchange(owner, { mutations: [lost] });
  const { timeline, over } = await restore();
  expect(after.journal?.timeline).toBe(timeline.previous);
  const reset = await harness.ask(owner, { cookie: after.cookie, journal: [timeline.previous, 'another'] }, over);
  expect(reset).toMatchObject({ kind: 'reset', reason: 'lineage' });
  expect(reset.journal).toEqual({
    timeline: timeline.timeline,
    version: expect.any(String),
    known: { [timeline.previous]: timeline.point },
  });
  const point = BigInt(must(reset.journal, 'journal').known[timeline.previous]!);
  expect([before, after].map(({ journal }) => BigInt(journal!.version) < point)).toEqual([false, false]);
  expect(BigInt(after.journal!.version)).toBeGreaterThan(point);
});

it('[S13] a first load names removals as long as a device can hold what they removed, and not for ever after a restore', async () => {
  const removed = post();
  await exchange(owner, { mutations: [removed] });
  const { timeline, over } = await (await backUp())();
  await must(restored, 'restored').sql.deleteFrom('jobs').where('id', '=', removed.args.id).execute();
  const firstLoad = async () => (await exchange(owner, { journal: [timeline.timeline] }, over)).removes;
  expect(await firstLoad()).toEqual({ jobs: [removed.args.id] });
  harness.pass(tombstoneMs - 1);
  expect(await firstLoad()).toEqual({ jobs: [removed.args.id] });
  harness.pass(1);
  expect(await firstLoad()).toEqual({});
});

it('[S13][I2] a device that has not met the new timeline is told of it first, and nothing that it made since goes before what it sends again', async () => {
  const restore = await backUp();
  const lost = post();
  const before = await exchange(owner, { mutations: [lost] });
  const { timeline, over } = await restore();
  const later = post();
  const { previous, timeline: next } = timeline;
  const reset = await harness.ask(owner, { cookie: before.cookie, journal: [previous], mutations: [later] }, over);
  expect(reset.kind).toBe('reset');
  const unmet = await exchange(owner, { journal: [previous], mutations: [later] }, over);
  expect(unmet.outcomes).toEqual([]);
  const met = await exchange(owner, { journal: [next], mutations: [again(lost, before), later] }, over);
  // An answer lists outcomes in no order.
  expect(new Map(met.outcomes.map(({ uid, status }) => [uid, status]))).toEqual(
    new Map([
      [lost.uid, 'applied'],
      [later.uid, 'applied'],
    ]),
  );
});

it('[S13] a device is told below which version what was applied outlives the loss of the database, also where it sends nothing', async () => {
  const answer = await exchange(owner, { mutations: [post()] });
  const { timeline, version } = must(answer.journal, 'journal');
  expect(answer.journal).not.toHaveProperty('safe');
  const over = createExchange({ ...harness.parts, safe: (of) => (of === timeline ? version : undefined) });
  const quiet = await exchange(owner, { cookie: answer.cookie, journal: [timeline] }, over);
  expect(quiet.journal).toEqual({ timeline, version, known: {}, safe: version });
});

it('[S13] a phone of an earlier version is told nothing of journals', async () => {
  const answer = await harness.ask(owner, { mutations: [post()] });
  expect(answer.journal).toBeUndefined();
});

it('[S13] an interest in a job that has not come back waits, does not hold up what follows it, and is sent once the job is there', async () => {
  const restore = await backUp();
  const job = post();
  const posted = await exchange(owner, { mutations: [job] });
  const interest = express(job.args.id);
  const answered = await exchange(tradie, { mutations: [interest] });
  const { over } = await restore();

  const other = sent('job.close', { id: makeTestId() });
  const first = await exchange(tradie, { mutations: [again(interest, answered), other] }, over);
  expect(first.restoring).toEqual([{ uid: interest.uid, code: 'not-found' }]);
  expect(first.outcomes).toMatchObject([{ uid: other.uid, code: 'not-found' }]);

  const back = await exchange(owner, { mutations: [again(job, posted)] }, over);
  expect(back.outcomes).toMatchObject([{ uid: job.uid, status: 'applied' }]);
  const second = await exchange(tradie, { mutations: [again(interest, answered)] }, over);
  expect(second.restoring).toBeUndefined();
  expect(second.outcomes).toMatchObject([{ uid: interest.uid, status: 'applied' }]);

  const { rows } = await sql<{
    name: string;
    became: string;
  }>`select name, became from sync_sent_again order by name`.execute(must(restored, 'restored').sql);
  expect(rows).toEqual([
    { name: 'interest.express', became: 'applied' },
    { name: 'job.post', became: 'applied' },
  ]);
});

it('[S13] what is made later about something that waits is not refused, but waits with it', async () => {
  const restore = await backUp();
  const job = post();
  await exchange(owner, { mutations: [job] });
  const interest = express(job.args.id);
  const answered = await exchange(tradie, { mutations: [interest] });
  const ticked = sent('interest.tick', {
    id: interest.args === null ? '' : (interest.args as { id: string }).id,
    contacted: true,
  });
  const seen = await exchange(owner, { mutations: [ticked] });
  const { over } = await restore();
  const note = sent('interest.note', {
    id: (interest.args as { id: string }).id,
    set: { ownerNote: 'Rings back' },
    base: { ownerNote: null },
  });
  const unrelated = sent('interest.see', { id: makeTestId() });
  const answer = await exchange(owner, { mutations: [again(ticked, seen), note, unrelated] }, over);
  expect(answer.restoring?.map(({ uid }) => uid)).toEqual([ticked.uid, note.uid]);
  expect(answer.outcomes.map(({ uid }) => uid)).toEqual([unrelated.uid]);
  expect(answered.outcomes).toHaveLength(1);
});

it('[S13] what nothing brought back in time is refused with its reason, and nothing waits where there was no restore', async () => {
  const restore = await backUp();
  const job = post();
  await exchange(owner, { mutations: [job] });
  const interest = express(job.args.id);
  const answered = await exchange(tradie, { mutations: [interest] });
  const gone = express(makeTestId());
  const unrestored = await exchange(tradie, { mutations: [again(gone, answered)] });
  expect(unrestored.outcomes).toMatchObject([{ uid: gone.uid, code: 'not-found' }]);

  const { over } = await restore();
  harness.pass(restoreWait - 1);
  const waits = await exchange(tradie, { mutations: [again(interest, answered)] }, over);
  expect(waits.restoring).toHaveLength(1);
  harness.pass(1);
  const refused = await exchange(tradie, { mutations: [again(interest, answered)] }, over);
  expect(refused.restoring).toBeUndefined();
  const message = 'Dwang was put back to an earlier copy, and what this is about never came back.';
  expect(refused.outcomes).toMatchObject([{ uid: interest.uid, status: 'refused', code: 'not-found', message }]);
});

it('[S13][I1] what the backup had after all gets the outcome that is stored, and happens no second time', async () => {
  const job = post();
  const posted = await exchange(owner, { mutations: [job] });
  const { over } = await (await backUp())();
  const answer = await exchange(owner, { mutations: [again(job, posted)] }, over);
  expect(answer.outcomes).toMatchObject([{ uid: job.uid, status: 'applied' }]);
  const { rows } = await sql`select from jobs`.execute(must(restored, 'restored').sql);
  expect(rows).toHaveLength(1);
});

it('[S13] an owner is mailed about an interest once: not again when it comes back, but about one that was never applied', async () => {
  const other = (await harness.tradie()).user;
  const job = post();
  await exchange(owner, { mutations: [job] });
  const restore = await backUp();
  const [told, pending] = [express(job.args.id), express(job.args.id)];
  const answered = await exchange(tradie, { mutations: [told] });
  const { over, timeline } = await restore();
  await exchange(tradie, { mutations: [again(told, answered)] }, over);
  await exchange(other, { mutations: [{ ...pending, from: { timeline: timeline.previous } }] }, over);
  const { rows } = await sql<{ key: string }>`select key from effect where name = 'interest.mail'`.execute(
    must(restored, 'restored').sql,
  );
  expect(rows).toEqual([{ key: `interest.mail:${(pending.args as { id: string }).id}` }]);
});

it('[S13] an edit of a business that its person has filled in anew since the restore waits for nothing, and says so', async () => {
  const { user, tradie: business } = await harness.tradie();
  const base = { description: business.description };
  const edit = sent('profile.edit', { id: makeTestId(), set: { description: 'Decks' }, base });
  const restore = await backUp();
  const answered = await exchange(user, { mutations: [post()] });
  const { over } = await restore();
  const answer = await exchange(user, { mutations: [again(edit, answered)] }, over);
  expect(answer.restoring).toBeUndefined();
  const message =
    'Dwang was put back to an earlier copy, and you have filled in your business anew since. Change it there, if this is still wanted.';
  expect(answer.outcomes).toMatchObject([{ uid: edit.uid, status: 'refused', code: 'not-found', message }]);
});

it('[S13][I1] an edit that its phone has rebuilt since its answer was lost gets the outcome that is stored, and does not “carry the mark of another”', async () => {
  const { user, tradie: business } = await harness.tradie();
  const base = { description: business.description };
  const edit = sent('profile.edit', { id: business.id, set: { description: 'Decks' }, base });
  await exchange(user, { mutations: [edit] });
  const args = { id: business.id, set: { description: 'Decks' }, base: { description: 'Lost' } };
  const from = { timeline: 'before' };
  const [rebuilt, another] = [
    await exchange(user, { mutations: [{ ...edit, args, from: { ...from, rebuilt: true } }] }),
    await exchange(user, { mutations: [{ ...edit, args, from }] }),
  ];
  expect([rebuilt, another].map(({ outcomes }) => outcomes[0]?.code ?? outcomes[0]?.status)).toEqual([
    'applied',
    'uid-reused',
  ]);
});
