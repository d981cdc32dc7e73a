import { afterAll, beforeAll, expect, test } from 'vitest';
import { acts } from './scenes/acts.ts';
import { lookAtScene } from './scenes/examine-scene.ts';
import { openTheatre, type Theatre } from './scenes/play.ts';
import type { Act } from './scenes/scene.ts';

/*
 * Every screen in every state: axe finds nothing, nothing sticks out, and nothing is too small to press, on a small phone, a tablet
 * and a desk, in both themes.
 */

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(async () => theatre?.close());

test.each(acts)('$name', async (act) => {
  const found: string[] = [];
  await theatre.play(act, async (scene, stage) => {
    found.push(...(await lookAtScene(scene, stage)));
  });
  expect(found).toEqual([]);
});

test('axe is there and sees: a picture without words, pale letters and a tiny button are found', async () => {
  await theatre.play({ name: 'what is wrong', scenes: [{ name: 'wrong', at: '/legal', shows: 'Privacy Policy' }] }, async (scene, stage) => {
    await stage.page.evaluate(() => {
      document.querySelector('main')?.insertAdjacentHTML('beforeend', '<img src="/favicon.ico"><p id="pale">pale</p><button>x</button>');
      // The content security policy takes no style from the markup.
      document.getElementById('pale')?.style.setProperty('color', 'light-dark(#ddd, #333)');
    });
    const found = (await lookAtScene(scene, stage)).join('\n');
    for (const rule of ['wrong (320 px): image-alt', 'wrong (320 px): color-contrast', 'wrong (1280 px, dark): color-contrast', 'px: button “x”']) expect(found).toContain(rule);
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
