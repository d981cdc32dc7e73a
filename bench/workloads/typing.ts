import { openFloor } from '../floor/open-floor.ts';
import { measure, percentile } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { openPhone, type RunningPhone } from '../phone/open-phone.ts';
import type { Keystroke } from '../phone/watch-page.ts';
import type { World } from '../world/open-world.ts';

const slowDown = 4;
/** The pace of a thumb. */
const betweenKeysMs = 220;
const phrases = ['leaking roof', 'kitchen window', 'weatherboards'];
/** A-Z compares titles by locale, which is the slowest of the orders. */
const path = '/find-jobs?max=40000&sort=a-z';

async function type(phone: RunningPhone, phrase: string): Promise<Keystroke[]> {
  const field = phone.page.getByRole('searchbox', { name: 'Search' });
  await field.fill('');
  await phone.page.waitForTimeout(1_000);
  await phone.page.evaluate(() => (window.bench.keystrokes.length = 0));
  await field.pressSequentially(phrase, { delay: betweenKeysMs });
  await phone.page.waitForTimeout(1_500);
  return phone.page.evaluate(() => window.bench.keystrokes);
}

export interface Typed {
  /** p95 of a keystroke to the next frame, one a round. */
  painted: number[];
  /** p95 of a keystroke to the frame after the list's last change because of it. */
  settled: number[];
  /** The same field on an empty page, equally slowed down. */
  floors: number[];
}

export async function measureTyping(world: World, runs: number): Promise<Typed> {
  const [phone, floor] = [await openPhone(world.url, world.tradie), await openFloor(world)];
  try {
    const running = await phone.start();
    const taken: Typed = { painted: [], settled: [], floors: [] };
    const round = async (phrase: string) => {
      const keys = await type(running, phrase);
      return {
        painted: percentile(
          keys.map(({ pressedAt, paintedAt }) => paintedAt - pressedAt),
          95,
        ),
        settled: percentile(
          keys.map(({ pressedAt, paintedAt, settledAt }) => Math.max(paintedAt, settledAt) - pressedAt),
          95,
        ),
      };
    };
    await running.page.goto(floor.url);
    await running.slowDown(slowDown);
    for (let run = 0; run < runs; run += 1)
      taken.floors.push((await round(phrases[run % phrases.length] ?? '')).painted);
    await running.slowDown(1);
    await running.load(path);
    // On a phone the filters are behind a button.
    await running.page.getByRole('button', { name: /^Filters/ }).click();
    await running.slowDown(slowDown);
    for (let run = 0; run < runs; run += 1) {
      const { painted, settled } = await round(phrases[run % phrases.length] ?? '');
      taken.painted.push(painted);
      taken.settled.push(settled);
    }
    return taken;
  } finally {
    await phone.close();
    await floor.close();
  }
}

export const typing: Workload = {
  ids: ['B9'],
  run: async (fixture) => {
    const { painted, settled, floors } = await measureTyping(await fixture.world(), fixture.runs);
    return [
      measure({
        id: 'B9',
        name: 'Typing a search over 20,000 jobs, filtered and A-Z, 4 x slow-down: keystroke to paint, p95; floor: a field on an empty page',
        unit: 'ms',
        runs: painted,
        floors,
        target: { words: 'p95 <= 100 ms', max: 100 },
      }),
      measure({
        id: 'B9',
        name: 'Keystroke until the list shows what it found, p95',
        unit: 'ms',
        runs: settled,
        floors,
      }),
    ];
  },
};
