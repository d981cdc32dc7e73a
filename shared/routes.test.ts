import { expect, test } from 'vitest';
import { isMachinery, memberPaths, pageAt, pages, wholePages, pathOf } from './routes.ts';

test.each([
  ['/', '/'],
  ['/legal', '/legal'],
  ['/legal/', '/legal'],
  ['/job/0195b000', '/job/$id'],
  ['/edit-job/0195b000/', '/edit-job/$id'],
  ['/tradie/0195b000', '/tradie/$id'],
  ['//', undefined],
  ['/job', undefined],
  ['/job/a/b', undefined],
  ['/legals', undefined],
  ['/Legal', undefined],
  ['/dev/ui', undefined],
])('at %s stands %s', (address, page) => expect(pageAt(address)).toBe(page));

test('no page has the path of a server route', () => expect(Object.keys(pages).filter(isMachinery)).toEqual([]));

test('robots are kept from members’ pages, and from no public page', () => {
  expect(memberPaths).toContain('/edit-job/');
  expect(memberPaths.filter((path) => ['/', '/legal', '/find-tradies', '/job/', '/tradie/'].includes(path))).toEqual(
    [],
  );
});

test('two pages are prerendered whole', () => {
  expect(wholePages).toEqual([
    { path: '/', file: 'home.html' },
    { path: '/legal', file: 'legal.html' },
  ]);
});

test('the address of a page is that of its path, with its id', () => {
  expect([pathOf('/edit-account'), pathOf('/job/$id', 'a-job')]).toEqual(['/edit-account', '/job/a-job']);
});
