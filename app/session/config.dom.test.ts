import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { openDeviceDb, type DeviceDb } from './device-db.ts';

let db: DeviceDb;
let timers: (() => void)[];
beforeEach(async () => {
  db = openDeviceDb();
  await db.open();
  timers = [];
});
afterEach(() => db.delete());

const config = { supabaseUrl: 'https://auth.example.nz', supabaseAnonKey: 'anon' };
const clock = { now: () => 0, setTimer: (_ms: number, fire: () => void) => (timers.push(fire), () => undefined) };
const read = (fetch: () => Promise<Response>) =>
  readConfig({ fetch: fetch as typeof globalThis.fetch, db, clock, log: () => undefined });
const offline = () => Promise.reject(new TypeError('Failed to fetch'));

test('the last good configuration serves when the network fails [§1, §offline]', async () => {
  expect(await read(async () => Response.json(config))).toEqual(config);
  expect(await read(offline)).toEqual(config);
});

test('…and when it takes over 2 s; what comes later serves the next start [§offline]', async () => {
  await read(async () => Response.json(config));
  let answer: (response: Response) => void = () => undefined;
  const slow = read(() => new Promise((resolve) => (answer = resolve)));
  await new Promise<void>((resolve) => {
    const wait = () => (timers.length > 0 ? resolve() : setTimeout(wait, 1));
    wait();
  });
  timers.at(-1)?.();
  expect(await slow).toEqual(config);
  const moved = { ...config, supabaseUrl: 'https://moved.example.nz' };
  answer(Response.json(moved));
  await new Promise<void>((resolve) => {
    const wait = () =>
      void db.entries
        .get('config')
        .then((kept) => (JSON.stringify(kept?.value) === JSON.stringify(moved) ? resolve() : setTimeout(wait, 1)));
    wait();
  });
  expect(await read(offline)).toEqual(moved);
});

test.each([
  ['no network', offline, 'Unable to load application configuration: Failed to fetch'],
  [
    'a server that is ill',
    async () => new Response('Bad gateway', { status: 502 }),
    'Unable to load application configuration: 502: Bad gateway',
  ],
  [
    'missing keys',
    async () => Response.json({ supabaseUrl: config.supabaseUrl }),
    'Invalid configuration received from server',
  ],
])('without a copy, %s is said in the words of the specification [§5, §7, §8]', async (_what, fetch, words) => {
  await expect(read(fetch)).rejects.toThrow(words);
});

test('a captive portal does not overwrite the copy', async () => {
  await read(async () => Response.json(config));
  expect(await read(async () => new Response('<h1>Free wifi</h1>'))).toEqual(config);
  expect(await read(async () => Response.json({}))).toEqual(config);
  expect(await read(offline)).toEqual(config);
});
