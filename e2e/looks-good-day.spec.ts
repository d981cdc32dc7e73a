import { expect, test } from 'vitest';
import { goodDayActs } from './scenes/acts.ts';
import { examineScene } from './scenes/examine-scene.ts';
import { shiftsOf } from './scenes/play.ts';
import type { Act } from './scenes/scene.ts';
import { useTheatre } from './scenes/use-theatre.ts';

/*
 * Every screen in every state that one sees with signal: axe finds nothing, nothing sticks out or jumps, and nothing is too small to
 * press, on a small phone, a tablet and a desk, in both themes. `looks-bad-day.spec.ts` sees the rest.
 */

const theatre = useTheatre();

test.each(goodDayActs)('nothing is wrong with the screens of: $name', async (act) => {
  expect(await theatre.examine(act)).toEqual([]);
});

test('axe is there and sees: a picture without words, pale letters and a tiny button are found', async () => {
  const act: Act = { name: 'what is wrong', scenes: [{ name: 'wrong', at: '/legal', shows: 'Privacy Policy' }] };
  await theatre.play(act, async (scene, stage) => {
    await stage.page.evaluate(() => {
      document.querySelector('main')?.insertAdjacentHTML('beforeend', '<img src="/favicon.ico"><p id="pale">pale</p><p id="wide">wide</p><button>x</button>');
      // The content security policy takes no style from the markup.
      document.getElementById('pale')?.style.setProperty('color', 'light-dark(#ddd, #333)');
      document.getElementById('wide')?.style.setProperty('inline-size', '25rem');
    });
    const found = (await examineScene(scene, stage)).join('\n');
    for (const rule of ['wrong (320 px): image-alt', 'wrong (320 px): color-contrast', 'wrong (1280 px, dark): color-contrast', 'px: button “x”', 'wrong (200 % text): ', 'too wide: p. “wide”']) {
      expect(found).toContain(rule);
    }
  });
});

test('what jumps while it loads is seen', async () => {
  const act: Act = { name: 'jumping', scenes: [{ name: 'jumping', at: '/legal', shows: 'Privacy Policy' }] };
  await theatre.play(act, async (scene, stage) => {
    await stage.page.evaluate(() => {
      const late = document.createElement('div');
      late.style.blockSize = '300px';
      document.body.prepend(late);
    });
    await expect.poll(async () => (await shiftsOf(stage.page)).sum).toBeGreaterThan(0);
    expect((await examineScene(scene, stage)).join('\n')).toContain('jumping (opened at 1280 px): jumped by');
  });
});

test('the terms print without the frame: no header, no word on the connection, no toast, no footer', async () => {
  const act: Act = { name: 'print', scenes: [{ name: 'print', at: '/legal', shows: 'Privacy Policy' }] };
  await theatre.play(act, async (_, { page }) => {
    const shown = () => page.evaluate(() => [...document.querySelectorAll('header:not(main *), footer, [role=status], [aria-label="Notifications (F8)"], main h2')].filter((part) => part.checkVisibility()).map((part) => part.tagName));
    expect(await shown()).toEqual(expect.arrayContaining(['HEADER', 'FOOTER']));
    await page.emulateMedia({ media: 'print' });
    expect(new Set(await shown())).toEqual(new Set(['H2']));
  });
});
