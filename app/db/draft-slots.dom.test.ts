import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { fakeTabMemory, fakeTryLock } from '../testing/fake-drafts.ts';
import { createDraftSlots, type DraftSlots } from './draft-slots.ts';
import { openPersonDb, photoDraftsOf, type PersonDb } from './person-db.ts';

const clock = {
  setTimer: (ms: number, go: () => void) => {
    const timer = setTimeout(go, ms);
    return () => clearTimeout(timer);
  },
};

let db: PersonDb;
/** Two tabs of one browser. */
let here: DraftSlots;
let there: DraftSlots;

beforeEach(async () => {
  db = openPersonDb(makeTestId());
  await db.open();
  const locks = fakeTryLock();
  const ports = { db, clock, locks, newId: makeTestId };
  [here, there] = [
    createDraftSlots({ ...ports, tab: fakeTabMemory() }),
    createDraftSlots({ ...ports, tab: fakeTabMemory() }),
  ];
});
afterEach(() => db.delete());

const put = (key: string, value: string, savedAt = '2026-01-01') => db.drafts.put({ key, value, savedAt });

test('the same form in a second tab begins empty, and has a draft of its own', async () => {
  await put('post-job', 'Fix the gate');
  const [first, second] = [await here.take('post-job'), await there.take('post-job')];
  expect([first.key, first.draft?.value]).toEqual(['post-job', 'Fix the gate']);
  expect(second.key).toMatch(/^post-job~/);
  expect(second.draft).toBeUndefined();
});

test('what a tab left that was killed is found by the next, the newest first, and none is forgotten', async () => {
  await put('post-job', 'older', '2026-01-01');
  await put('post-job~b', 'newer', '2026-01-02');
  const first = await here.take('post-job');
  const second = await here.take('post-job');
  expect([first.draft?.value, second.draft?.value]).toEqual(['newer', 'older']);
});

test('a draft of photos and no words is found too, and forms of other keys are not', async () => {
  await put(`${photoDraftsOf('post-job~b')}p1`, 'a photo');
  await put('post-job/like/1', 'of another form');
  await put('post-jobs', 'of another form');
  const found = await here.take('post-job');
  expect([found.key, found.draft]).toEqual(['post-job~b', undefined]);
  expect((await here.take('post-job')).key).toBe('post-job');
});

test('the next form of a tab has what the one before it has just released, once that is written', async () => {
  const first = await here.take('note');
  let written: () => void = () => undefined;
  first.release(new Promise<void>((resolve) => (written = resolve)).then(() => put('note', 'the last word')));
  const next = here.take('note');
  written();
  // No other tab has it in between.
  expect((await there.take('note')).key).not.toBe('note');
  expect((await next).draft?.value).toBe('the last word');
  const again = await there.take('note');
  expect(again.key).not.toBe('note');
});

test('a form that has gone before it got its slot keeps it from no other of its tab', async () => {
  await put('note', 'words');
  const gone = here.take('note').then((slot) => slot.release());
  const next = here.take('note');
  await gone;
  expect((await next).draft?.value).toBe('words');
});

test('the page before this one holds its draft for a moment after a reload, and this one has it all the same', async () => {
  await put('note', 'words');
  const [ports, tab] = [{ db, clock, locks: fakeTryLock(), newId: makeTestId }, fakeTabMemory()];
  const before = await createDraftSlots({ ...ports, tab }).take('note');
  // Another tab does not wait to snatch it.
  expect((await createDraftSlots({ ...ports, tab: fakeTabMemory() }).take('note')).key).not.toBe('note');
  const after = createDraftSlots({ ...ports, tab }).take('note');
  setTimeout(() => before.release(undefined, true), 5);
  expect((await after).draft?.value).toBe('words');
});

test('what no form of its tab has taken up after a moment is free for other tabs', async () => {
  await put('note', 'words');
  (await here.take('note')).release();
  await expect
    .poll(async () => {
      const found = await there.take('note');
      found.release(undefined, true);
      return found.draft?.value;
    })
    .toBe('words');
});

test('a form that has sent its words leaves the next one of its tab those of a tab that was closed', async () => {
  await put('note', 'of a closed tab', '2026-01-01');
  const sent = await here.take('note', 'note~sent');
  sent.release();
  expect((await here.take('note')).draft?.value).toBe('of a closed tab');
});

test('words that could not be written are found by the slot they were typed in', async () => {
  const typed = await here.take('note');
  typed.release();
  expect((await here.take('note', typed.key)).key).toBe(typed.key);
});

test('a write that fails keeps no draft from the next form', async () => {
  const first = await here.take('note');
  first.release(Promise.reject(new Error('no room')));
  expect((await here.take('note')).key).toBe('note');
});

test('the one that this tab has typed is had before a newer one', async () => {
  await put('note', 'typed here', '2026-01-01');
  await put('note~b', 'newer', '2026-01-02');
  expect((await here.take('note', 'note')).draft?.value).toBe('typed here');
});

test('drafts that cannot be read are not overwritten: the form has a new one', async () => {
  await put('note', 'unread');
  Object.assign(db.drafts, {
    where: () => {
      throw new Error('Disk error');
    },
  });
  const found = await here.take('note');
  expect(found.key).toMatch(/^note~/);
  expect(found.draft).toBeUndefined();
});

test('where the browser gives no lock, each form still has a draft of its own', async () => {
  const refusing = createDraftSlots({
    db,
    clock,
    tab: fakeTabMemory(),
    locks: { request: () => Promise.reject(new Error('no')) },
    newId: makeTestId,
  });
  const [one, other] = [await refusing.take('note'), await refusing.take('note')];
  expect(one.key).not.toBe(other.key);
  one.release();
});
