import { expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { stylesOf, takeScreen } from './take-screen.ts';

function pageOf(html: string, fillings = {}): HTMLElement {
  const root = document.createElement('div');
  root.innerHTML = html;
  const before = root.innerHTML;
  const copy = document.createElement('div');
  copy.innerHTML = takeScreen(root, fillings);
  expect(root.innerHTML).toBe(before);
  return copy;
}

test('a copy of the page answers to nothing but its links', () => {
  const page = pageOf(
    '<a href="/job/1">Fence</a><button type="button" tabindex="0">Save</button><input><select></select><textarea></textarea><span role="slider" tabindex="0"></span>',
  );
  expect(must(page.querySelector('a'), 'the link')).toHaveAttribute('href', '/job/1');
  expect([...page.querySelectorAll(':disabled')].map(({ tagName }) => tagName)).toEqual([
    'BUTTON',
    'INPUT',
    'SELECT',
    'TEXTAREA',
  ]);
  expect(page.querySelector('[role=slider]')).toHaveAttribute('aria-disabled', 'true');
  expect(page.querySelector('[tabindex]')).toBeNull();
});

test('what is true for a moment alone is left out, and says what stays true', () => {
  const page = pageOf(
    '<p data-later="As of 3 Mar">Updated just now</p><div data-passing="">Turn on alerts</div><div role="dialog">Sure?</div><a href="#main">Skip to content</a><img src="blob:http://here/1" alt="">',
  );
  expect(page.textContent).toBe('As of 3 Mar');
  expect(page.querySelector('img')).toBeNull();
});

test('styles of elements are left out, which the content security policy would refuse', () => {
  expect(pageOf('<p style="color: red">Red</p>').querySelector('[style]')).toBeNull();
});

test('the rest of a list takes the place of the rows that were in the page', () => {
  const page = pageOf('<div data-list="jobs"><p>The tenth</p></div>', { '[data-list="jobs"]': '<p>The first</p>' });
  expect(page.textContent).toBe('The first');
});

test('names are others than those of the app, which is in the page as well for a moment', () => {
  const page = pageOf(
    '<main id="main"><label for="a">A</label><input id="a" aria-describedby="b c"><p id="b"></p><p id="c"></p></main>',
  );
  expect([...page.querySelectorAll('[id]')].map(({ id }) => id)).toEqual(['kept-main', 'kept-a', 'kept-b', 'kept-c']);
  expect(page.querySelector('label')).toHaveAttribute('for', 'kept-a');
  expect(page.querySelector('input')).toHaveAttribute('aria-describedby', 'kept-b kept-c');
});

test('only the style sheets that it has classes of are asked for, in their order', () => {
  const sheet = (name: string, ...rules: string[]) =>
    ({ href: `https://dwang.example/assets/${name}`, cssRules: rules.map((cssText) => ({ cssText })) }) as never;
  const sheets = [
    sheet('card.css', '._card_1 { margin: 0.5rem; }'),
    sheet('map.css', '._map_1 { color: red; }'),
    sheet('wide.css', '@media (min-width: 60rem) { ._row_2:hover > ._card_2 { color: red; } }'),
    { href: null, cssRules: [] } as never,
  ];
  expect(stylesOf('<div class="_card_1 _row_2"></div><p class=""></p>', sheets)).toEqual([
    '/assets/card.css',
    '/assets/wide.css',
  ]);
});
