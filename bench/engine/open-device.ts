import { openPhone, outside, type Phone, type RunningPhone } from '../phone/open-phone.ts';
import type { Account } from '../world/open-world.ts';
import { buildPage } from './build-page.ts';

let script: Promise<string> | undefined;

/** A phone whose person is signed in without the app: no shell, no service worker. */
export const openDevice = (url: string, account: Account): Promise<Phone> =>
  openPhone(url, account, async (first, who) => {
    await putEngine(first);
    await first.page.evaluate((one) => window.engine.open(one), who);
  });

/** A fresh page of the product's origin that has the engine's code, and has opened nothing yet. */
export async function putEngine({ page, cdp, url }: RunningPhone): Promise<void> {
  script ??= buildPage({ isReadable: process.env['BENCH_READABLE'] === '1' });
  await page.goto(`${url}${outside}`);
  const { exceptionDetails } = await cdp.send('Runtime.evaluate', { expression: await script });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
}

/** The same, opened, with everything the person may have in memory. A homeowner has no feed. */
export async function loadEngine(running: RunningPhone): Promise<void> {
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
