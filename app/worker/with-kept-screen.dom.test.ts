import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../db/clock.ts';
import { openDeviceDb, type DeviceDb } from '../session/device-db.ts';
import { keepScreen } from '../session/kept-screens.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { withKeptScreen } from './with-kept-screen.ts';

const frame =
  '<!doctype html><html lang="en-NZ"><head><title>Dwang</title><script src="/assets/here-1.js"></script><link rel="stylesheet" crossorigin href="/assets/first.css" /><script type="module" crossorigin src="/assets/index-1.js"></script></head><body><div id="root">Opening</div></body></html>';
const address = new URL('https://dwang.example/find-jobs');

let db: DeviceDb;
let logged: string[];
beforeEach(async () => {
  logged = [];
  db = openDeviceDb();
  await db.entries.put({ key: 'person', value: { userId: 'hana', email: 'hana@example.nz' } });
  await keepScreen(db, '/find-jobs', {
    userId: 'hana',
    search: '',
    build: '/assets/index-1.js',
    title: 'Find <Jobs> · Dwang',
    styles: ['/assets/first.css', '/assets/jobs.css'],
    width: 390,
    until: null,
    html: '<main>$& jobs</main>',
  });
});
afterEach(() => db.delete());

const ports = {
  openDb: openDeviceDb,
  clock: systemClock,
  isOnline: () => true,
  log: (event: string) => void logged.push(event),
};
const serve = async (url = address, text = frame, changes: Partial<typeof ports> = {}) => {
  const answer = new Response(text, { headers: { 'Content-Security-Policy': "style-src 'self'" } });
  return withKeptScreen(answer, url, { ...ports, ...changes });
};

test('the page as it was left stands before the frame, with its styles and the frame’s own headers', async () => {
  const answer = await serve();
  expect(await answer.text()).toBe(
    frame
      .replace('<html', '<html data-kept="390"')
      .replace('<title>Dwang', '<title>Find &lt;Jobs> · Dwang')
      .replace('here-1.js"', 'here-1.js" data-entry="/assets/index-1.js"')
      .replace(
        '<script type="module" crossorigin src="/assets/index-1.js"></script>',
        '<link rel="stylesheet" crossorigin href="/assets/jobs.css" /><link rel="modulepreload" crossorigin href="/assets/index-1.js" />',
      )
      .replace('<div id="root"', () => '<div id="kept"><main>$& jobs</main></div><div id="root"'),
  );
  expect(answer.headers.get('Content-Security-Policy')).toBe("style-src 'self'");
});

test('without signal it says so', async () => {
  const answer = await serve(address, frame, { isOnline: () => false });
  expect(await answer.text()).toContain('<html data-kept="390" data-offline');
});

test('another build’s page, whose styles are not here any more, is not shown', async () => {
  const next = frame.replace('index-1.js', 'index-2.js');
  expect(await (await serve(address, next)).text()).toBe(next);
});

test('other pages are as they were, and open no database', async () => {
  const openDb = () => {
    throw new Error('opened');
  };
  expect(await (await serve(new URL('/job/1', address), frame, { openDb })).text()).toBe(frame);
});

test('a storage that fails, or does not answer, delays no page', async () => {
  const failing = Object.assign(openDeviceDb(), { entries: { bulkGet: () => Promise.reject(new Error('torn')) } });
  expect(await (await serve(address, frame, { openDb: () => failing as unknown as DeviceDb })).text()).toBe(frame);
  expect(logged).toEqual(['screen']);

  const silent = Object.assign(openDeviceDb(), { entries: { bulkGet: () => new Promise(() => undefined) } });
  const clock = manualClock();
  const serving = serve(address, frame, { openDb: () => silent as unknown as DeviceDb, clock });
  clock.advance(1_000);
  expect(await (await serving).text()).toBe(frame);
});
