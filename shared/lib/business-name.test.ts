import { expect, test } from 'vitest';
import { businessNameProblem } from './business-name.ts';

test.each([
  'Dwang Support http://evil.example/pay',
  'Dwang Support HTTPS://evil',
  'ftp://evil',
  'www.evil',
  'WWW.EVIL',
  'evil.example/pay',
  'fixit.co.nz Plumbing',
  'Fixit.co.nz',
  'J.R.Builders.co.nz',
  'Plumb.me',
  'fix.plumbing',
  'x.com',
  't.co/pay',
  'my-shop.nz',
  'ana@fixit.nz',
  'Ōtaki.nz',
  'evil\u2024co\u2024nz',
  'evil．co．nz',
  'evil。co。nz',
])('a name that a mail program would make a link of is refused: %s', (name) => {
  expect(businessNameProblem(name, undefined)).toMatch(/web or email address/);
});

test.each(['Gates <b>', 'a > b', '</p>'])('a name with marks of HTML is refused: %s', (name) => {
  expect(businessNameProblem(name, undefined)).toMatch(/< or >/);
});

test.each([
  'Dwang',
  'DWANG',
  ' D w a n g ',
  'Dwang Support',
  'Dwang NZ Support Team',
  'The Dwang Team',
  'Support (Dwang)',
  'Ｄｗａｎｇ',
  'Dwang – Payments',
  'Dwāng',
])('a name that poses as us is refused: %s', (name) => {
  expect(businessNameProblem(name, undefined)).toMatch(/our name/);
});

test.each([
  'Dwang & Nog Framing',
  'Dwang Builders Southland',
  'A.B. Smith & Sons',
  'St. Johns Plumbing',
  'Smith & Co.',
  'Trade Me.',
  'J.R.Builders',
  'A.B.Smith',
  'No.1 Plumbing',
  '24/7 Plumbing',
  '24.7 Electrical',
  'Te Awe Awe Roofing / Spouting',
  'The Best... Plumber',
  'Fix it: Southland',
  'D.I.Y.',
  'H2.O',
])('names of businesses are taken: %s', (name) => {
  expect(businessNameProblem(name, undefined)).toBeUndefined();
});

test('only a changed name is judged', () => {
  expect(businessNameProblem('fixit.co.nz', 'fixit.co.nz')).toBeUndefined();
  expect(businessNameProblem(' fixit.co.nz ', 'fixit.co.nz')).toBeUndefined();
  expect(businessNameProblem('fixit.co.nz Ltd', 'fixit.co.nz')).toMatch(/address/);
});

test('a very long name takes no time', () => {
  const begun = performance.now();
  for (const pump of ['a', '.', 'a.', 'a-', '/', '1.'])
    businessNameProblem(pump.repeat(100_000 / pump.length), undefined);
  expect(performance.now() - begun).toBeLessThan(500);
});
