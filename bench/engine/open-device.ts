import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outside, startPhone, type RunningPhone } from '../phone/open-phone.ts';
import type { Account } from '../world/open-world.ts';
import { buildPage } from './build-page.ts';

/** A browser profile on disk in which one person is signed in, without the app: no shell, no service worker. */
export interface Device {
  start(): Promise<RunningPhone>;
  /** Stops the browser, if it runs, and deletes the profile. */
  close(): Promise<void>;
}

let script: Promise<string> | undefined;

export async function openDevice(url: string, account: Account): Promise<Device> {
  const profile = await mkdtemp(join(tmpdir(), 'dwang-bench-device-'));
  let running: RunningPhone | undefined;
  const device: Device = {
    start: async () => {
      running = await startPhone(profile, url, account, () => (running = undefined));
      return running;
    },
    close: async () => {
      await running?.stop();
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
  const first = await device.start();
  await putEngine(first);
  await first.page.evaluate((who) => window.engine.open(who), account);
  await first.forget();
  await first.stop();
  return device;
}

/** A fresh page of the product's origin that has the engine's code, and has opened nothing yet. */
export async function putEngine({ page, cdp, url }: RunningPhone): Promise<void> {
  script ??= buildPage({ isReadable: process.env['BENCH_READABLE'] === '1' });
  await page.goto(`${url}${outside}`);
  const { exceptionDetails } = await cdp.send('Runtime.evaluate', { expression: await script });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
}

/** The same, opened, with everything the person may have in memory. A homeowner has no feed. */
export async function openEngine(running: RunningPhone): Promise<void> {
  await putEngine(running);
  await running.page.evaluate(async () => {
    const { engine } = window;
    await engine.open();
    const { context, reference } = engine;
    for (const [at, collection] of [reference, context.feed].entries())
      await new Promise<void>((resolve) => {
        const look = () => {
          const { status } = collection.current();
          if (status === 'ready' || (at === 1 && status === 'hidden')) resolve();
        };
        collection.subscribe(look);
        look();
      });
  });
}
