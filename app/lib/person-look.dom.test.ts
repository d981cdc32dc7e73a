import { beforeEach, expect, test } from 'vitest';
import { chooseLook, readLook, showLookOf } from './person-look.ts';

const page = document.documentElement;
const seen = () => [page.dataset['theme'], page.dataset['text']];

beforeEach(() => {
  localStorage.clear();
  showLookOf(localStorage, page, undefined);
});

test('what a person chooses is shown at once, and again when they come back', () => {
  chooseLook(localStorage, page, 'aroha', { theme: 'sun', text: 'large' });
  expect(seen()).toEqual(['sun', 'large']);
  page.removeAttribute('data-theme');
  showLookOf(localStorage, page, 'aroha');
  expect(seen()).toEqual(['sun', 'large']);
});

test('another person on the same device sees none of it, and neither does the one who was there', () => {
  chooseLook(localStorage, page, 'aroha', { theme: 'sun', text: 'largest' });
  showLookOf(localStorage, page, 'wiremu');
  expect(seen()).toEqual(['usual', 'usual']);
  expect(readLook(localStorage, 'wiremu')).toEqual({ theme: 'usual', text: 'usual' });
});

test('it goes with the person', () => {
  chooseLook(localStorage, page, 'aroha', { theme: 'sun', text: 'usual' });
  showLookOf(localStorage, page, undefined);
  expect(seen()).toEqual(['usual', 'usual']);
  expect(localStorage.length).toBe(0);
});

test('what is no choice of ours is not shown', () => {
  localStorage.setItem('dwang-look', 'neon huge aroha');
  expect(readLook(localStorage, 'aroha')).toEqual({ theme: 'usual', text: 'usual' });
});
