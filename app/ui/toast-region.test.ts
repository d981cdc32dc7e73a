import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('on medium screens and up the toast’s place is 420 px wide at most', () => {
  const css = readFileSync(new URL('toast-region.module.css', import.meta.url), 'utf8');
  const wide = css.slice(css.indexOf('@media (min-width: 48rem)'));
  expect(wide).toMatch(/\.region \{[^}]*max-inline-size: 420px;/);
});
