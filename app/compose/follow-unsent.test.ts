import { beforeEach, expect, test } from 'vitest';
import type { AuthState, SessionContext } from '../context/app-context.ts';
import type { Unsynced } from '../context/watch-unsynced.ts';
import type { Live } from '../db/use-live.ts';
import { createCell, type Cell } from '../lib/cell.ts';
import { initialStatus, type SyncStatus } from '../sync/status.ts';
import { followUnsent } from './follow-unsent.ts';
import { countCookies } from '../../shared/lib/kept-note.ts';
import { createKeptNote } from './kept-note.ts';

/*
 * The cookies are a double, which a browser and the server have between them; e2e/cleared-after-week.spec.ts has the
 * real ones.
 */

const now = Date.parse('2026-05-01T09:00:00.000Z');
const nothing: Unsynced = { outbox: [], saving: [], rejected: [], photos: [], logo: undefined, held: [] };
const something = { ...nothing, held: [{}] } as unknown as Unsynced;

let jar: Map<string, string>;
let asked: number;
let answers: () => Promise<Response>;
const page = {
  get cookie() {
    return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  },
  set cookie(text: string) {
    if (text.endsWith('; max-age=0')) jar.delete(text.slice(0, text.indexOf('=')));
  },
};
let memory: Map<string, string>;
let othersWait: boolean;
let untold: Cell<string | null>;
const note = createKeptNote(page, {
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => void memory.set(key, value),
});
const fetch = async () => {
  asked += 1;
  return answers();
};
/** What the server does. */
const give = async (at = now) => {
  jar.set('dwang-kept', new Date(at).toISOString());
  for (const name of ['dwang-sent', ...countCookies()]) jar.set(name, 'yes');
  return new Response(null, { status: 204 });
};
beforeEach(() => {
  jar = new Map([['look', 'dark']]);
  memory = new Map();
  othersWait = false;
  untold = createCell<string | null>(null);
  asked = 0;
  answers = () => give();
});

/** A person who is signed in, with what waits and where the exchange stands. */
function signIn(waiting: Unsynced = nothing) {
  const unsynced = createCell<Live<Unsynced>>({ state: 'ready', value: waiting });
  const status = createCell<SyncStatus>({ ...initialStatus, reach: 'online', lastSynced: 'one' });
  const context = { unsynced, sync: { status } } as unknown as SessionContext;
  const authState = createCell<AuthState>({ kind: 'signed-in', context } as AuthState);
  followUnsent({
    authState,
    note,
    fetch,
    othersWait: async () => othersWait,
    untold,
    now: () => now,
  });
  return {
    logOut: () => authState.set({ kind: 'signed-out' }),
    wait: (next: Unsynced) => unsynced.set({ state: 'ready', value: next }),
    hear: (next: Partial<SyncStatus>) => status.set({ ...status.current(), ...next }),
  };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

test('all is sent: the server is asked for the cookies once, and again after a day', async () => {
  const { hear } = signIn();
  await settled();
  hear({ lastSynced: 'two' });
  await settled();
  expect([asked, note.read()]).toEqual([1, { sentAt: new Date(now).toISOString(), isAllSent: true, count: 1 }]);
  await give(now - 25 * 3_600_000);
  hear({ lastSynced: 'three' });
  await settled();
  expect([asked, note.read()?.sentAt]).toEqual([2, new Date(now).toISOString()]);
});

test('something begins to wait without signal: that is noted at once, and since when; other cookies stay', async () => {
  const { wait, hear } = signIn();
  await settled();
  hear({ reach: 'offline' });
  wait(something);
  expect(note.read()).toEqual({ sentAt: new Date(now).toISOString(), isAllSent: false, count: 1 });
  expect(jar.get('look')).toBe('dark');
  wait(nothing);
  await settled();
  expect([asked, note.read()?.isAllSent]).toEqual([1, false]);
  hear({ reach: 'online', lastSynced: 'two' });
  await settled();
  expect([asked, note.read()?.isAllSent]).toEqual([2, true]);
});

/** So many changes that wait. */
const changes = (number: number) =>
  ({ ...nothing, outbox: Array.from({ length: number }, () => ({ name: 'job.create' })) }) as unknown as Unsynced;

test.each([
  [1, 1],
  [2, 2],
  [8, 8],
  [9, 9],
  [30, 9],
])(
  'of %s changes that wait without signal %s are noted, though fewer wait later, until all are sent',
  async (number, noted) => {
    const { wait, hear } = signIn();
    await settled();
    wait(changes(number));
    wait(changes(1));
    expect(note.read()).toMatchObject({ isAllSent: false, count: noted });
    wait(nothing);
    hear({ lastSynced: 'two' });
    await settled();
    expect(note.read()).toMatchObject({ isAllSent: true, count: 1 });
  },
);

test('photos, a job that is still being saved and what the server rejected count too, a photo once', async () => {
  const { wait } = signIn();
  await settled();
  const photo = { id: 'one', jobId: 'job' };
  const attach = { name: 'photo.attach', args: { jobId: 'job', id: 'one' } };
  wait({
    ...nothing,
    saving: [{ name: 'job.create' }],
    outbox: [attach],
    rejected: [{}],
    photos: [photo],
  } as unknown as Unsynced);
  expect(note.read()?.count).toBe(3);
});

test('cookies of before anything was counted, and another person’s that wait: that something waits is known, and not how many', async () => {
  jar.set('dwang-kept', new Date(now).toISOString()).set('dwang-sent', 'yes');
  const { wait } = signIn();
  wait(changes(2));
  await settled();
  expect(note.read()).toEqual({ sentAt: new Date(now).toISOString(), isAllSent: false, count: undefined });
  await give();
  othersWait = true;
  signIn(changes(2));
  await settled();
  expect(note.read()).toEqual({ sentAt: new Date(now).toISOString(), isAllSent: false, count: undefined });
});

test('something begins to wait while the server is asked: the answer does not call it sent', async () => {
  const { wait } = signIn();
  wait(something);
  await settled();
  expect(note.read()).toEqual({ sentAt: new Date(now).toISOString(), isAllSent: false, count: 1 });
});

test('a server that cannot be asked is asked again after the next exchange, and not before', async () => {
  answers = () => Promise.reject(new TypeError('no signal'));
  const { hear } = signIn();
  await settled();
  hear({ isAsking: true });
  await settled();
  expect([asked, note.read()]).toEqual([1, undefined]);
  answers = () => give();
  hear({ lastSynced: 'two' });
  await settled();
  expect([asked, note.read()?.isAllSent]).toEqual([2, true]);
});

test('the server answers only after the log-out: the cookies that it sets go again', async () => {
  let answer = () => {};
  answers = () => new Promise((resolve) => (answer = () => void give().then(resolve)));
  const { logOut } = signIn();
  await settled();
  logOut();
  note.forget();
  answer();
  await settled();
  expect([asked, note.read()]).toEqual([1, undefined]);
});

test('something of another person waits in this browser: that all of this one is sent says nothing of it', async () => {
  await give(now - 25 * 3_600_000);
  othersWait = true;
  signIn();
  await settled();
  expect([asked, note.read()?.isAllSent]).toEqual([0, false]);
});

test('a person who was not yet told what was lost finds it noted still', async () => {
  await give();
  note.noteWaiting();
  untold.set('2026-11-20');
  signIn();
  await settled();
  expect([asked, note.read()?.isAllSent]).toEqual([0, false]);
  // Told, it is noted at once that nothing waits: the next exchange may be a minute away.
  untold.set(null);
  await settled();
  expect([asked, note.read()?.isAllSent]).toEqual([1, true]);
});

test('what the browser has cleared is known by what was noted beside it', async () => {
  expect(note.isCleared()).toBe(true);
  signIn();
  await settled();
  expect(note.isCleared()).toBe(false);
});

test('a log-out leaves neither, and a cookie that is no date is none', async () => {
  await give();
  note.forget();
  expect([note.read(), jar.size]).toEqual([undefined, 1]);
  jar.set('dwang-kept', 'soon');
  expect(note.read()).toBeUndefined();
});
