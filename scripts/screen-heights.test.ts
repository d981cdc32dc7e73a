import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './installed.mjs';

/*
 * On an iPhone `100vh` is the window without Safari's bars, higher than what is seen while they are there: the lower
 * end of such a page or dialog lay under them. `dvh` follows the bars, `svh` is what is left beside them; every browser
 * that knows `light-dark()`, in which all colours are written, knows both.
 */

const sheets = globSync('app/**/*.css', { cwd: root })
  .toSorted()
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '') }));

test('under an iPhone’s bars: no height of the app is measured by the window without them', () => {
  const measured = sheets.flatMap(({ file, text }) =>
    [...text.matchAll(/[^;{}]*[\d.]l?(?:vh|vb|vmin|vmax)\b[^;}]*/g)].map(([said]) => `${file}: ${said.trim()}`),
  );
  expect(measured).toEqual([]);
});

test('what fills the screen is as high as what is seen of it: the page, its frame, and what lies over them', () => {
  const heights = sheets.flatMap(({ file, text }) =>
    [...text.matchAll(/(?<of>[\w-]*block-size): (?<height>[^;]*\b100[dslv]*vh\b[^;]*)/g)].map(
      ({ groups }) => `${file}: ${groups?.['of']}: ${groups?.['height']}`,
    ),
  );
  expect(heights).toEqual([
    'app/features/frame/app-shell.module.css: min-block-size: 100dvh',
    'app/features/frame/app-shell.module.css: block-size: 100dvh',
    'app/ui/base.css: min-block-size: 100dvh',
    'app/ui/dialog.module.css: block-size: var(--visual-viewport-height, 100dvh)',
    'app/ui/dialog.module.css: max-block-size: calc(var(--visual-viewport-height, 100dvh) - 1.5rem)',
  ]);
});
