import { beforeEach, expect, test } from 'vitest';
import { keepFocus } from './keep-focus.ts';

let root: HTMLElement;
beforeEach(() => {
  document.body.innerHTML = `<div id="root"><a href="#main">Skip</a><main id="main" tabindex="-1">
    <a href="#filters">Filters</a><a href="/tradie/1">Bush Roofing</a><a href="/tradie/2">Harbour Decks</a><a href="?sort">Show all</a>
  </main></div>`;
  root = document.getElementById('root')!;
});

/** The app's own: Filters is a button, and there is no link to show all. */
const replace = () => {
  root.innerHTML = `<a href="#main">Skip</a><main id="main" tabindex="-1">
    <button>Filters</button><a href="/tradie/1">Bush Roofing</a><a href="/tradie/2">Harbour Decks</a></main>`;
};
const link = (name: string) => [...root.querySelectorAll('a')].find(({ textContent }) => textContent === name)!;

test.each([
  ['a link', 'Bush Roofing', 'Bush Roofing'],
  ['a link that has become a button', 'Filters', 'Filters'],
  ['a link that is gone: the last one before it', 'Show all', 'Harbour Decks'],
])('the focus stays on %s', (_what, before, after) => {
  link(before).focus();
  const again = keepFocus(root);
  replace();
  again();
  expect(document.activeElement?.textContent).toBe(after);
});

test('a keyboard that has skipped to the content goes on from there', () => {
  document.getElementById('main')!.focus();
  const again = keepFocus(root);
  replace();
  again();
  expect(document.getElementById('main')).toHaveFocus();
});

test('what had no focus is given none', () => {
  const again = keepFocus(root);
  replace();
  again();
  expect(document.body).toHaveFocus();
});
