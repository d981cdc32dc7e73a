import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { startingPage, startingPagePolicy } from './answer-while-starting.ts';
import { mailboxPage, mailboxPagePolicy } from '../embedded/mailbox/mailbox-page.ts';
import { lostPage, paymentPagePolicy } from '../embedded/payments/payment-frame.ts';

it.each([
  ['mailbox', mailboxPage([]), mailboxPagePolicy],
  ['pages of a server that is starting', startingPage, startingPagePolicy],
  ['test payments', lostPage('Lost', 'Nothing is here.'), paymentPagePolicy],
])('the %s look as they should: the content policy lets the page’s own style apply', (_name, page, policy) => {
  const [, css = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
  expect(css).toContain('color-scheme: light dark');
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`);
});
