import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brandStyle } from './brand.ts';

const tokens = (css: string) =>
  new Map(
    [...css.matchAll(/^ {2}--([\w-]+):\s*([^;]+);/gm)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\s+/g, ' '),
    ]),
  );

test('the server’s own pages have the colours and the type of the app', () => {
  // The sun's own colours stand in a later block of the same names.
  const [theme = ''] = readFileSync(new URL('../../app/ui/theme.css', import.meta.url), 'utf8').split('[data-theme=');
  const app = tokens(theme);
  const own = tokens(brandStyle);
  expect(own.size).toBeGreaterThan(20);
  for (const [name, value] of own) expect([name, value]).toEqual([name, app.get(name)]);
});
