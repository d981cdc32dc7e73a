import { expect, test } from 'vitest';
import { pageHead } from './page-head.ts';

const hostile = `"><script>alert('x')</script> & $& <!--/page-head-->`;
const page = {
  title: 'Ōpōtiki Builders · Dwang',
  description: 'Decks',
  path: '/tradie/1',
  origin: 'https://dwang.example.nz',
};

test('names the page, its address and its picture, each whole', () => {
  const head = pageHead({ ...page, type: 'profile' });
  expect(head).toContain('<title>Ōpōtiki Builders · Dwang</title>');
  expect(head).toContain('<link data-page rel="canonical" href="https://dwang.example.nz/tradie/1" />');
  expect(head).toContain('<meta data-page property="og:url" content="https://dwang.example.nz/tradie/1" />');
  expect(head).toContain('<meta data-page property="og:image" content="https://dwang.example.nz/share.png" />');
  expect(head).toContain('<meta data-page property="og:type" content="profile" />');
  expect(head).toContain('<meta data-page name="twitter:card" content="summary_large_image" />');
  expect(head).not.toContain('noindex');
  expect(pageHead({ ...page, isUnlisted: true })).toContain('<meta data-page name="robots" content="noindex" />');
});

test('[hostile] no user text breaks out of its place', () => {
  const head = pageHead({
    title: hostile,
    description: hostile,
    path: `/tradie/${hostile}`,
    origin: 'https://dwang.example.nz',
  });
  expect(head).not.toMatch(/<script|<!--|content="[^"]*"[^ ]/);
  expect(head.match(/<[a-z]+/g)?.toSorted()).toEqual(
    [...Array<string>(12).fill('<meta'), '<link', '<title'].toSorted(),
  );
});

test('a page kept on the device says nothing of addresses', () => {
  const { origin: _, ...kept } = page;
  expect(pageHead(kept)).not.toMatch(/canonical|og:url|og:image/);
});
