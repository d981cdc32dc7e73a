import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Tab } from './engines/tab.ts';
import { long } from './test-options.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { openWire, type Wire } from './open-wire.ts';
import { demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * A first visit on a bad line: a browser gives up an installation of which one file did not come, and does not take it
 * up again by itself; and it waits without end for one that is never answered.
 */

let wire: Wire;
let server: RunningServer;
let phone: Device<Tab>;

test.beforeEach(async () => {
  wire = await openWire();
  server = await openServer({ PUBLIC_URL: wire.url });
  wire.leadTo(server.url);
});
test.afterEach(async () => {
  await phone?.close();
  await wire?.close();
  await server?.close();
});

const isRegistered = async () => (await navigator.serviceWorker.getRegistration()) !== undefined;

test(
  'a line that fails while the app is put on the phone: it is there soon after, without a reload, and opens without signal',
  long,
  async () => {
    // Only the worker asks for this file, to keep it.
    const held = wire.holdNext('/legal.html');
    phone = await openPhone(wire.url);
    const page = phone.page();
    await signIn(page, demo('homeowner'));
    await held;
    const loadedAt = await page.evaluate(() => performance.timeOrigin);
    wire.become('closed');
    await expect.poll(() => page.evaluate(isRegistered)).toBe(false);
    wire.become('through');
    await untilInstalled(phone);
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedAt);
    await phone.setSignal(false);
    const again = await phone.reopenTab('/dashboard');
    await again.getByRole('heading', { name: /Your Posted Jobs \([1-9]/ }).waitFor();
  },
);

test(
  'a line that never answers for one file of the app while it is put on the phone: it is there all the same, without a reload',
  long,
  async () => {
    const built = await readFile(join(import.meta.dirname, '../dist/service-worker.js'), 'utf8');
    // As long as a file may take: here so long that the test need not wait for minutes.
    const hurried = built.replace(/AbortSignal\.timeout\(\w+\)(?=\}\)\}\])/, 'AbortSignal.timeout(3e3)');
    expect(hurried === built).toBe(false);
    wire.change('/service-worker.js', hurried);
    const held = wire.holdNext('/legal.html');
    phone = await openPhone(wire.url);
    await signIn(phone.page(), demo('homeowner'));
    await held;
    await untilInstalled(phone);
  },
);
