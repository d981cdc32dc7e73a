import { expect, test } from 'vitest';
import { actorOf } from '../actor.ts';
import { makeInterest, makeTestId, makeUser } from '../testing/make.ts';
import { makeMarket, rejectionOf } from '../testing/make-market.ts';
import { memoryTx } from '../testing/memory-tx.ts';
import { maxPreparedNotes, maxSearches } from '../tables/fields.ts';
import type { User } from '../tables/index.ts';
import type { ArgsOf, MutationName } from './index.ts';
import { runMutation } from './run-mutation.ts';

const now = '2026-11-24T07:00:00.000Z';

function open() {
  const market = makeMarket();
  market.rows.users.set(market.owner.id, market.owner).set(market.tradieUser.id, market.tradieUser);
  const run = <Name extends MutationName>(by: User, name: Name, args: ArgsOf<Name>, at = now) =>
    runMutation(memoryTx(market.rows), name, args, { actor: actorOf(by), now: at });
  const only = <Row>(rows: ReadonlyMap<string, Row>) => [...rows.values()];
  return { ...market, run, only };
}

test('Not Interested hides the job for that tradie, once, and Undo shows it again', async () => {
  const { rows, tradieUser, job, run, only } = open();
  const mark = { id: makeTestId(), jobId: job.id, title: job.title };
  await run(tradieUser, 'job.mark', { ...mark, hidden: true });
  // Another device of theirs, which did not know: the first time counts.
  await run(tradieUser, 'job.mark', { ...mark, id: makeTestId(), hidden: true }, '2026-11-25T07:00:00.000Z');
  expect(only(rows.marks)).toEqual([
    { ...mark, userId: tradieUser.id, hiddenAt: now, shortlistedAt: null, remindAt: null },
  ]);
  await run(tradieUser, 'job.mark', { id: makeTestId(), jobId: job.id, hidden: false });
  expect(only(rows.marks)).toMatchObject([{ title: job.title, hiddenAt: null }]);
});

test('a job is marked by tradies, not by its owner, and none that does not exist', async () => {
  const { rows, owner, tradieUser, job, run } = open();
  const args = { id: makeTestId(), jobId: job.id, hidden: true };
  expect((await rejectionOf(run(owner, 'job.mark', args))).code).toBe('not-found');
  rows.jobs.set(job.id, { ...job, userId: tradieUser.id });
  expect((await rejectionOf(run(tradieUser, 'job.mark', args))).code).toBe('not-found');
  const gone = { ...args, jobId: makeTestId() };
  expect((await rejectionOf(run(tradieUser, 'job.mark', gone))).code).toBe('not-found');
  // Taking back what is not there is nothing.
  await run(tradieUser, 'job.mark', { ...gone, hidden: false });
  expect(rows.marks.size).toBe(0);
});

test('a reminder goes with the place on the shortlist', async () => {
  const { rows, tradieUser, job, run, only } = open();
  const mark = { id: makeTestId(), jobId: job.id };
  await run(tradieUser, 'job.mark', { ...mark, shortlisted: true, remindAt: '2026-12-01T07:00:00Z' });
  expect(only(rows.marks)).toMatchObject([{ shortlistedAt: now, remindAt: '2026-12-01T07:00:00.000Z' }]);
  await run(tradieUser, 'job.mark', { ...mark, hidden: true });
  expect(only(rows.marks)).toMatchObject([{ shortlistedAt: now, remindAt: '2026-12-01T07:00:00.000Z' }]);
  await run(tradieUser, 'job.mark', { ...mark, shortlisted: false });
  expect(only(rows.marks)).toMatchObject([{ shortlistedAt: null, remindAt: null, hiddenAt: now }]);
});

const blank = {
  name: 'All',
  categoryIds: [],
  region: null,
  locationId: null,
  withinKm: null,
  maxBudget: null,
  urgencies: [],
  words: '',
};

test('saved searches keep their order, move, and leave nothing of what was looked for when deleted', async () => {
  const { rows, tradieUser, run, only } = open();
  const [one, two, three] = [makeTestId(), makeTestId(), makeTestId()] as const;
  for (const id of [one, two, three])
    await run(tradieUser, 'search.save', { ...blank, id, name: `S ${id.slice(-2)}`, words: 'gate' });
  const order = () => only(rows.preferences)[0]?.searchOrder;
  expect(order()).toEqual([one, two, three]);
  await run(tradieUser, 'search.move', { id: three, before: one });
  expect(order()).toEqual([three, one, two]);
  await run(tradieUser, 'search.move', { id: three, before: makeTestId() });
  expect(order()).toEqual([one, two, three]);
  await run(tradieUser, 'search.remove', { id: two });
  expect(order()).toEqual([one, three]);
  expect(rows.searches.get(two)).toMatchObject({ name: '', words: '', removedAt: now });
  const edit = { id: two, set: { words: 'x' }, base: { words: '' } };
  expect((await rejectionOf(run(tradieUser, 'search.edit', edit))).code).toBe('not-found');
  // A look is made by the screen: its person is told nothing of a search that another device has deleted.
  await run(tradieUser, 'search.look', { id: two, until: now });
  expect(rows.searches.get(two)).toMatchObject({ lookedUntil: null });
});

test('an earlier look never brings back what counted as seen', async () => {
  const { rows, tradieUser, run } = open();
  const id = makeTestId();
  await run(tradieUser, 'search.save', { ...blank, id, lookedUntil: '2026-11-20T00:00:00.000Z' });
  await run(tradieUser, 'search.look', { id, until: '2026-11-19T00:00:00.000Z' });
  expect(rows.searches.get(id)).toMatchObject({ lookedUntil: '2026-11-20T00:00:00.000Z' });
  await run(tradieUser, 'search.look', { id, until: '2026-11-21T00:00:00Z' });
  expect(rows.searches.get(id)).toMatchObject({ lookedUntil: '2026-11-21T00:00:00.000Z' });
});

test('no more saved searches and prepared notes than there is room for', async () => {
  const { tradieUser, run } = open();
  for (let made = 0; made < maxSearches; made += 1)
    await run(tradieUser, 'search.save', { ...blank, id: makeTestId() });
  const more = run(tradieUser, 'search.save', { ...blank, id: makeTestId() });
  expect((await rejectionOf(more)).code).toBe('too-many-searches');
  for (let made = 0; made < maxPreparedNotes; made += 1)
    await run(tradieUser, 'note.prepare', { id: tradieUser.id, add: `Note ${made}` });
  const another = run(tradieUser, 'note.prepare', { id: tradieUser.id, add: 'One more' });
  expect((await rejectionOf(another)).code).toBe('too-many-notes');
  // One for another fits.
  await run(tradieUser, 'note.prepare', { id: tradieUser.id, add: 'One more', remove: 'Note 3' });
});

test('a prepared note is replaced where it stands, and two devices that add each keep theirs', async () => {
  const { rows, tradieUser, run, only } = open();
  const prepare = (args: { add?: string; remove?: string; before?: string }) =>
    run(tradieUser, 'note.prepare', { id: tradieUser.id, ...args });
  for (const add of ['One', 'Two', 'Three', 'Two']) await prepare({ add });
  await prepare({ add: 'Uno', remove: 'One' });
  expect(only(rows.preferences)).toMatchObject([{ preparedNotes: ['Uno', 'Three', 'Two'] }]);
  await prepare({ remove: 'Three' });
  await prepare({ remove: 'Never there' });
  expect(only(rows.preferences)).toMatchObject([{ preparedNotes: ['Uno', 'Two'] }]);
  await prepare({ add: 'Three', before: 'Two' });
  await prepare({ add: 'Four', before: 'Never there' });
  expect(only(rows.preferences)).toMatchObject([{ preparedNotes: ['Uno', 'Three', 'Two', 'Four'] }]);
});

test('an opened interest is seen once, and the tradie learns it unless its owner would rather not', async () => {
  const { rows, owner, tradieUser, tradie, job, run } = open();
  const people = { jobId: job.id, tradieId: tradie.id, userId: tradieUser.id, ownerId: owner.id };
  const [first, second] = [makeInterest(people), makeInterest({ ...people, tradieId: makeTestId() })];
  for (const interest of [first, second]) rows.interests.set(interest.id, interest);
  expect((await rejectionOf(run(tradieUser, 'interest.see', { id: first.id }))).code).toBe('not-found');
  await run(owner, 'interest.see', { id: first.id });
  await run(owner, 'interest.see', { id: first.id }, '2026-11-25T07:00:00.000Z');
  expect(rows.interests.get(first.id)).toMatchObject({ seenAt: now, isSeen: true });
  await run(owner, 'seen.tell', { id: owner.id, tells: false });
  await run(owner, 'interest.see', { id: second.id });
  expect(rows.interests.get(second.id)).toMatchObject({ seenAt: now, isSeen: false });
});

test('how a person is told of news changes where they say so, and stays elsewhere', async () => {
  const { rows, owner, run } = open();
  await run(owner, 'alerts.choose', { id: owner.id, choice: { quietFrom: 22 } });
  await run(owner, 'alerts.choose', { id: owner.id, choice: { mailJobs: 'off' } });
  expect(rows.preferences.get(owner.id)).toMatchObject({ quietFrom: 22, quietTo: 7, mailJobs: 'off', pushJobs: true });
  for (const choice of [{ quietFrom: 24 }, { alertsPerDay: 0 }, { mailJobs: 'weekly' }])
    expect((await rejectionOf(run(owner, 'alerts.choose', { id: owner.id, choice: choice as never }))).code).toBe(
      'invalid',
    );
});

test('preferences are one’s own', async () => {
  const { owner, tradieUser, run } = open();
  const stranger = makeUser();
  for (const by of [tradieUser, stranger]) {
    expect((await rejectionOf(run(by, 'seen.tell', { id: owner.id, tells: false }))).code).toBe('not-found');
    expect((await rejectionOf(run(by, 'alerts.choose', { id: owner.id, choice: {} }))).code).toBe('not-found');
  }
  expect((await rejectionOf(run(owner, 'note.prepare', { id: owner.id, add: 'x' }))).code).toBe('not-found');
});

test('the owner’s note on a tradie is theirs to write, and two versions of it are put before them', async () => {
  const { rows, owner, tradieUser, tradie, job, run } = open();
  const interest = makeInterest({ jobId: job.id, tradieId: tradie.id, userId: tradieUser.id, ownerId: owner.id });
  rows.interests.set(interest.id, interest);
  const write = (by: User, ownerNote: string | null, was: string | null) =>
    run(by, 'interest.note', { id: interest.id, set: { ownerNote }, base: { ownerNote: was } });
  expect((await rejectionOf(write(tradieUser, 'Mine', null))).code).toBe('not-found');
  await write(owner, ' Comes on Monday ', null);
  expect((await rejectionOf(write(owner, 'Rang', null))).fields).toEqual({ ownerNote: '"Comes on Monday"' });
  await write(owner, '', 'Comes on Monday');
  expect(rows.interests.get(interest.id)?.ownerNote).toBeNull();
});
