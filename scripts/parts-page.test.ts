import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const here = join(import.meta.dirname, '../app/features/dev-ui');
const ui = join(here, '../../ui');
/** Of the frame that every page has around it, or without a look of their own. */
const notByThemselves = ['toast-region.tsx', 'ui-provider.tsx', 'quick-button.tsx', 'field-lock.tsx'];

const importsOf = (path: string, from: RegExp) =>
  [...readFileSync(path, 'utf8').matchAll(from)].map(([, name]) => `${name}.tsx`);
const isPart = (name: string) => name.endsWith('.tsx') && !name.endsWith('.test.tsx');

test('the parts page shows every part that the product has: none is made that no person can look at', () => {
  const pages = readdirSync(here).filter((name) => name.endsWith('.tsx'));
  const shown = new Set<string>();
  const show = (name: string) => {
    if (shown.has(name)) return;
    shown.add(name);
    importsOf(join(ui, name), /from '\.\/([a-z-]+)\.tsx'/g).forEach(show);
  };
  pages.flatMap((name) => importsOf(join(here, name), /ui\/([a-z-]+)\.tsx'/g)).forEach(show);
  expect(readdirSync(ui).filter((name) => isPart(name) && !shown.has(name) && !notByThemselves.includes(name))).toEqual(
    [],
  );
});
