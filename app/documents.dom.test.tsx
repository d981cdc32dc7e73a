import { expect, test } from 'vitest';
import type { InlinedDirectory, InlinedTradie } from '../shared/inlined.ts';
import { makeTestId } from '../shared/testing/make.ts';
import { directory, tradie } from './documents.tsx';

const hostile = `Bob's "><script>alert(1)</script> & Sons`;

const inlined: InlinedTradie = {
  listed: {
    id: makeTestId(),
    businessName: hostile,
    description: hostile,
    logo: '',
    categoryIds: [],
    locationId: null,
    isVerified: true,
    createdAt: '2026-01-01T00:00:00.000Z',
  },
  details: { nzbn: '9429099000035', registeredName: hostile, contactPerson: hostile, businessAddress: hostile },
  trades: [hostile],
  place: hostile,
};

const begun: InlinedDirectory = {
  total: 5_000,
  cards: [{ id: makeTestId(), businessName: hostile, logo: '', isVerified: true, trades: [hostile], place: hostile }],
};

/** The document as a browser without scripts has it. */
function parse(markup: string): Document {
  return new DOMParser().parseFromString(`<div id="root">${markup}</div>`, 'text/html');
}

const textOf = (root: ParentNode, selector: string) => root.querySelector(selector)?.textContent;

test('a business’s document says all that a visitor may read, and leads to the sign-in dialog', () => {
  const page = parse(tradie(inlined));
  expect(textOf(page, 'h1')).toBe(hostile);
  expect(textOf(page, '[aria-labelledby="contact"]')).toContain(
    'Sign in to view contact information and connect with this tradie',
  );
  expect(textOf(page, '[aria-labelledby="contact"] a[href="?sign-in"]')).toBe('Sign In');
  expect([...page.querySelectorAll('dl > div')].map((row) => row.textContent)).toEqual([
    'NZBN9429099000035',
    `Contact person${hostile}`,
    `Business address${hostile}`,
  ]);
  expect(textOf(page, 'a[data-back]')).toBe('Back');
});

test('the directory’s document has a link to each business and one to all of them', () => {
  const page = parse(directory(begun));
  const [card] = begun.cards;
  expect(textOf(page, `article a[href="/tradie/${card?.id}"]`)).toBe(hostile);
  expect(page.querySelector('[role="listitem"]')).toHaveAttribute('aria-setsize', '5000');
  expect(textOf(page, 'a[data-more][href^="?"]')).toBe('Show all 5,000 tradies');
});

test('what is narrowed or sorted is still to come', () => {
  const page = parse(directory(undefined));
  expect([page.querySelectorAll('article').length, page.querySelectorAll('[data-placeholder]').length]).toEqual([0, 3]);
});

test('[hostile] what a business wrote is text in its documents and nothing else', () => {
  for (const markup of [tradie(inlined), directory(begun)])
    expect(parse(markup).querySelectorAll('script, [onerror]')).toHaveLength(0);
});
