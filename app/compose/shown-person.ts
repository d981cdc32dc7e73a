import type { Auth, AuthState } from '../context/app-context.ts';
import type { Clock } from '../db/clock.ts';
import type { Watched } from '../lib/cell.ts';
import type { Session } from '../session/create-session.ts';
import type { Tokens } from '../session/create-tokens.ts';
import { createDevices } from '../session/devices.ts';
import { within } from '../db/within.ts';

interface ShownPersonPorts {
  authState: Watched<AuthState>;
  session: Session;
  clock: Clock;
  fetch: typeof globalThis.fetch;
}

export interface ShownPerson {
  /** Of the person whose screens are shown; before there are any, of the person of the session. */
  tokens(): Promise<Tokens>;
  auth: Auth;
}

/** The longest a sign-in waits for the person's screens: what follows is then rejected, not done for another person. */
const screensMs = 10_000;

/**
 * What a screen does, it does for the person it shows, also where another has signed in on this browser meanwhile (S9).
 * A sign-in is over when the screens are that person's.
 */
export function shownPerson({ authState, session, clock, fetch }: ShownPersonPorts): ShownPerson {
  const shown = (): string | undefined => {
    const here = authState.current();
    return here.kind === 'signed-in' ? here.context.userId : undefined;
  };

  const whom = async () => shown() ?? (await session.sessionUser())?.id ?? '';
  const tokens = async () => session.tokensFor(await whom());

  function isShown(userId: string): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (shown() !== userId && authState.current().kind !== 'unable') return;
        stop();
        resolve();
      };
      const stop = authState.subscribe(look);
      look();
    });
  }

  return {
    tokens,
    auth: {
      signIn: async (email, password) =>
        within(clock, screensMs, isShown(await session.signIn(email, password)), undefined),
      signUp: async (email, password, intention) => {
        const outcome = await session.signUp(email, password, intention);
        const user = outcome === 'session' ? await session.sessionUser() : undefined;
        if (user !== undefined) await within(clock, screensMs, isShown(user.id), undefined);
        return outcome;
      },
      resendConfirmation: session.resendConfirmation,
      confirmByCode: async (email, code) =>
        within(clock, screensMs, isShown(await session.confirmByCode(email, code)), undefined),
      sendReset: session.sendReset,
      sessionEmail: async () => {
        const user = await session.sessionUser();
        return user === undefined || (shown() ?? user.id) !== user.id ? null : user.email;
      },
      updatePassword: async (password, proof) => session.updatePassword(await whom(), password, proof),
      mailCode: async () => session.mailCode(await whom()),
      devices: createDevices({
        fetch,
        accessToken: async () => (await tokens()).accessToken(),
        endOthers: async () => session.signOutOthers(await whom()),
      }),
    },
  };
}
