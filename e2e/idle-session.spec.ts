import { expect, type Response } from '@playwright/test';
import { endEverySession } from './account.ts';
import { openDevice, type Device } from './open-device.ts';
import type { RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

/*
 * What a browser asks of the server is counted by Chromium's own network events; the rest of a session's life is in
 * session.spec.ts.
 */

const homeowner = demo('homeowner');

let server: RunningServer;
let phone: Device;

test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  phone = await openDevice(server.url);
});
test.afterAll(async () => {
  await phone?.close();
});

test('[C10] a page that lies idle says within seconds that its session was ended elsewhere, and asks for a new one once', async () => {
  const page = phone.page();
  await signIn(page, homeowner);
  const renewals: string[] = [];
  const turnedAway: string[] = [];
  const note = (response: Response) => {
    const { pathname } = new URL(response.url());
    if (pathname === '/auth/v1/token') renewals.push(pathname);
    if (response.status() === 401) turnedAway.push(pathname);
  };
  const streamStands = page.waitForResponse(
    (response) => response.url().includes('/api/sync/poke') && response.status() === 200,
  );
  await page.reload();
  await streamStands;
  page.on('response', note);
  await endEverySession(server, homeowner.email, homeowner.password);
  // The page's own exchange comes a minute after it was loaded: what is said before that came by the stream.
  await page.getByText('Sign in again to get new jobs and answers.').waitFor({ timeout: 30_000 });
  page.off('response', note);
  expect(renewals).toHaveLength(1);
  expect(turnedAway.filter((path) => path === '/api/sync')).toHaveLength(1);
});
