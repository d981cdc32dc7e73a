import { expect, test } from 'vitest';
import { isAppPage } from './app-page.ts';

test.each(['/', '/dashboard', '/job/0195b000', '/find-jobs?q=roof', '/legal#tradies', '/nothing-here', '/apiary'])(
  '%s opens the app, also without signal',
  (path) => {
    expect(isAppPage(new URL(path, 'https://dwang.example.nz'))).toBe(true);
  },
);

test.each([
  '/api/config',
  '/api',
  '/auth/v1/verify?token=x',
  '/storage/v1/object/public/job-photos/a',
  '/health',
  '/health/ready',
  '/metrics',
  '/dev/mailbox',
  '/robots.txt',
  '/assets/x.js',
])('%s is left alone', (path) => {
  expect(isAppPage(new URL(path, 'https://dwang.example.nz'))).toBe(false);
});
