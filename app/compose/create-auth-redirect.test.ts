import { expect, test } from 'vitest';
import type { AuthState, SignedIn } from '../context/app-context.ts';
import { createCell } from '../lib/cell.ts';
import { createDeferred } from '../testing/deferred.ts';
import { createAuthRedirect } from './create-auth-redirect.ts';

const hash = '#access_token=a&refresh_token=b&type=signup';
const aroha = 'a1a1a1a1-0000-4000-8000-000000000001';
const signedIn = (userId: string) => ({ kind: 'signed-in', context: { userId } }) as SignedIn;

function open(before: AuthState) {
  const authState = createCell(before);
  const taken = createDeferred<void>();
  let choose = (_comesIn: boolean) => undefined as void;
  const take = (onChosen: (comesIn: boolean) => void) => {
    choose = onChosen;
    return taken.promise;
  };
  const { progress, settled } = createAuthRedirect(hash, { take, userId: aroha }, authState, () => undefined);
  return { authState, progress, settled, taken, choose: (comesIn: boolean) => choose(comesIn) };
}

test('a link signs in until the screens have its person, not when another is here', async () => {
  const { authState, progress, settled, taken, choose } = open(signedIn('another'));
  choose(true);
  taken.resolve();
  await settled;
  expect(progress.current()).toBe('signing-in');
  authState.set({ kind: 'starting' });
  expect(progress.current()).toBe('signing-in');
  authState.set(signedIn(aroha));
  expect(progress.current()).toBe('none');
});

test('a link that the person here declines signs no person in', async () => {
  const { progress, choose } = open(signedIn('another'));
  choose(false);
  await Promise.resolve();
  expect(progress.current()).toBe('none');
});

test('a link whose session cannot be had has failed', async () => {
  const authState = createCell<AuthState>({ kind: 'signed-out' });
  const take = () => Promise.reject(new Error('The server could not be reached.'));
  const { progress, settled } = createAuthRedirect(hash, { take, userId: aroha }, authState, () => undefined);
  expect(await settled).toBe(false);
  expect(progress.current()).toBe('failed');
});

test('an address without a session signs no person in', () => {
  const authState = createCell<AuthState>({ kind: 'signed-out' });
  const take = () => Promise.reject(new Error('there is none'));
  const link = createAuthRedirect('#type=signup', { take, userId: undefined }, authState, () => undefined);
  expect(link.progress.current()).toBe('none');
});
