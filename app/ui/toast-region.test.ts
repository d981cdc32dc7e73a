import { expect, test } from 'vitest';
import css from './toast-region.module.css?raw';

test('on medium screens and up the toast’s place is 420 px wide at most [§9]', () => {
  const wide = css.slice(css.indexOf('@media (min-width: 48rem)'));
  expect(wide).toMatch(/\.region \{[^}]*max-inline-size: 420px;/);
});
