import { expect, test } from '@playwright/test';
import { long } from './test-options.ts';
import { goodDayScenarios, inLongRunAlone } from './visual/scenarios.ts';
import { examineScreen } from './visual/examine-screen.ts';
import { shiftsOf } from './visual/visual-run.ts';
import type { Scenario } from './visual/screen-state.ts';
import { useVisualRun } from './visual/use-visual-run.ts';

/*
 * Every screen in every state with signal: axe finds nothing, nothing overflows or jumps, and nothing is too small to
 * press, on a small phone and a desktop, in `npm run test:long` on a tablet too, in both themes. Those that are like
 * another one are left to `npm run test:long`.
 * `looks-bad-day.spec.ts` covers the rest.
 */

const run = useVisualRun();

for (const scenario of goodDayScenarios)
  test(`nothing is wrong with the screens of: ${scenario.name}`, inLongRunAlone.has(scenario) ? long : {}, async () => {
    expect(await run.examine(scenario)).toEqual([]);
  });

test('axe is there and sees: a picture without words, pale letters and a tiny button are found', async () => {
  const scenario: Scenario = {
    name: 'what is wrong',
    screens: [{ name: 'wrong', at: '/legal', shows: 'Privacy Policy' }],
  };
  await run.play(scenario, async (screen, fixture) => {
    await fixture.page.evaluate(() => {
      document
        .querySelector('main')
        ?.insertAdjacentHTML(
          'beforeend',
          '<img src="/favicon.ico"><p id="pale">pale</p><p id="wide">wide</p><button>x</button>',
        );
      // The content security policy takes no style from the markup.
      document.getElementById('pale')?.style.setProperty('color', 'light-dark(#ddd, #333)');
      document.getElementById('wide')?.style.setProperty('inline-size', '25rem');
    });
    const found = (await examineScreen(screen, fixture)).join('\n');
    for (const rule of [
      'wrong (320 px): image-alt',
      'wrong (320 px): color-contrast',
      'wrong (1280 px, dark): color-contrast',
      'px: button “x”',
      'wrong (200 % text): ',
      'too wide: p. “wide”',
    ]) {
      expect(found).toContain(rule);
    }
  });
});

test('what jumps while it loads is seen', async () => {
  const scenario: Scenario = { name: 'jumping', screens: [{ name: 'jumping', at: '/legal', shows: 'Privacy Policy' }] };
  await run.play(scenario, async (screen, fixture) => {
    await fixture.page.evaluate(() => {
      const late = document.createElement('div');
      late.style.blockSize = '300px';
      document.body.prepend(late);
    });
    await expect.poll(async () => (await shiftsOf(fixture.page)).sum).toBeGreaterThan(0);
    expect((await examineScreen(screen, fixture)).join('\n')).toContain('jumping (opened at 1280 px): jumped by');
  });
});

test('the terms print without the frame: no header, no word on the connection, no toast, no footer', async () => {
  const scenario: Scenario = { name: 'print', screens: [{ name: 'print', at: '/legal', shows: 'Privacy Policy' }] };
  await run.play(scenario, async (_, { page }) => {
    const shown = () =>
      page.evaluate(() =>
        [
          ...document.querySelectorAll(
            'header:not(main *), footer, [role=status], [aria-label="Notifications (F8)"], main h2',
          ),
        ]
          .filter((part) => part.checkVisibility())
          .map((part) => part.tagName),
      );
    expect(await shown()).toEqual(expect.arrayContaining(['HEADER', 'FOOTER']));
    await page.emulateMedia({ media: 'print' });
    expect(new Set(await shown())).toEqual(new Set(['H2']));
  });
});
