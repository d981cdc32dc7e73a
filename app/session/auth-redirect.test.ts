import { expect, test } from 'vitest';
import { readAuthRedirect } from './auth-redirect.ts';

test.each([
  ['', { kind: 'none' }],
  ['#privacy', { kind: 'none' }],
  [
    '#access_token=a&expires_in=3600&refresh_token=b&token_type=bearer&type=signup',
    { kind: 'signup', hasSession: true },
  ],
  ['#type=signup', { kind: 'signup', hasSession: false }],
  ['#access_token=a&refresh_token=b&type=recovery', { kind: 'recovery', hasSession: true }],
  [
    '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
    { kind: 'failed', message: 'Email link is invalid or has expired' },
  ],
])('%s [§2 /, §4 start-up]', (hash, authRedirect) => {
  expect(readAuthRedirect(hash)).toEqual(authRedirect);
});
