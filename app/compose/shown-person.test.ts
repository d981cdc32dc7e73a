import { expect, test, vi } from 'vitest';
import type { AuthState } from '../context/app-context.ts';
import { systemClock } from '../db/clock.ts';
import { createCell } from '../lib/cell.ts';
import type { Session } from '../session/create-session.ts';
import { shownPerson } from './shown-person.ts';

const shows = (userId: string) =>
  ({
    kind: 'signed-in',
    email: '',
    lacksProfile: false,
    needsSignIn: false,
    context: { userId },
  }) as unknown as AuthState;

/** The session itself, tokens above all, is tested in app/session; here only for which person it is asked. */
function open(first: AuthState, onDevice: string | undefined) {
  const authState = createCell(first);
  const updatePassword = vi.fn(async () => undefined);
  const session = {
    tokensFor: (userId: string) => ({
      accessToken: async () => `token of ${userId}`,
      refresh: async () => 'refreshed',
    }),
    sessionUser: async () => (onDevice === undefined ? undefined : { id: onDevice, email: `${onDevice}@example.nz` }),
    signIn: async () => 'ben',
    updatePassword,
  } as unknown as Session;
  return { authState, updatePassword, ...shownPerson({ authState, session, clock: systemClock, fetch }) };
}

test('[S9] a call, a new password and a new address are for the person whose screens are shown, also where another has the session by now', async () => {
  const { tokens, auth, updatePassword } = open(shows('aroha'), 'ben');
  expect(await (await tokens()).accessToken()).toBe('token of aroha');
  expect(await auth.sessionEmail()).toBeNull();
  await auth.updatePassword('secret');
  expect(updatePassword).toHaveBeenCalledWith('aroha', 'secret', undefined);
});

test('before there are screens, they are for the person of the session', async () => {
  const { tokens, auth } = open({ kind: 'signed-out' }, 'ben');
  expect([await (await tokens()).accessToken(), await auth.sessionEmail()]).toEqual(['token of ben', 'ben@example.nz']);
  expect(await (await open({ kind: 'signed-out' }, undefined).tokens()).accessToken()).toBe('token of ');
});

test('a sign-in is over when the screens are that person’s, so that what follows is done for them', async () => {
  const { authState, auth, tokens } = open(shows('aroha'), 'ben');
  let isOver = false;
  const signingIn = auth.signIn('', '').then(() => (isOver = true));
  await new Promise((resolve) => setTimeout(resolve));
  authState.set({ kind: 'starting' });
  expect(isOver).toBe(false);
  authState.set(shows('ben'));
  await signingIn;
  expect(await (await tokens()).accessToken()).toBe('token of ben');
});
