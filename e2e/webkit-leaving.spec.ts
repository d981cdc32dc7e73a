import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { openWire, type Wire } from './open-wire.ts';
import { longElsewhere } from './test-options.ts';
import { test } from './shared-server.ts';

/*
 * A page that is left before its code is here. WebKit ends what such a page fetches, and the router loads a page anew
 * whose code does not come: the person was back on the page that they had left.
 */

let wire: Wire;
let server: RunningServer;
let phone: Device<Tab>;

test.beforeAll(async ({ shareServer }) => {
  wire = await openWire();
  server = await shareServer();
  wire.leadTo(server.url);
});
test.afterAll(async () => {
  await phone?.close();
  await wire?.close();
});

test(
  'on a slow line a person who goes on before the page is whole comes to where they go, not back',
  longElsewhere,
  async () => {
    const assets = readdirSync(join(import.meta.dirname, '../dist/assets'));
    const code = `/assets/${assets.find((name) => /^find-tradies-route-.*\.js$/.test(name))}`;
    phone = await openPhone(wire.url, '/legal');
    const page = phone.page();
    const codeIsHeld = wire.holdAll(code);
    const nextIsHeld = wire.holdNext('/dashboard');
    await page.evaluate(() => window.location.assign('/find-tradies'));
    const giveCode = await codeIsHeld;
    await page.getByRole('heading', { level: 1, name: 'Find Tradies' }).waitFor();
    await page.evaluate(() => window.location.assign('/dashboard'));
    const giveNext = await nextIsHeld;
    giveCode();
    // On a slow line the next page takes its time.
    await sleep(5_000);
    giveNext();
    await page
      .getByRole('heading', { name: /sign in/i })
      .first()
      .waitFor();
    expect(page.url()).toBe(`${wire.url}/dashboard`);
  },
);
