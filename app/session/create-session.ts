import { must } from '../../shared/lib/must.ts';
import { intentionQuery, type Intention } from '../lib/sign-in-href.ts';
import { liveQuery } from 'dexie';
import type { Clock } from '../db/clock.ts';
import { onConnectionLost } from '../db/connection.ts';
import { refreshLiveQueries } from '../db/refresh-live-queries.ts';
import { createCell, type Watched } from '../lib/cell.ts';
import type { AuthClient } from './auth-client.ts';
import { forgetPerson, readDevice, type AuthStorage, type Device } from './auth-storage.ts';
import { createTokens, type Tokens } from './create-tokens.ts';
import type { Person } from './device-db.ts';
import { finishLeaving, type LeavingPorts } from './finish-leaving.ts';
import type { MailedSession } from './mailed-session.ts';
import { ProofNeeded, type PasswordProof } from './proof-needed.ts';
import { within } from '../db/within.ts';

export type SessionState =
  | { readonly kind: 'starting' }
  /**
   * The device could not be read, which is not the same as a device without a person (C4). `isSilent`: it gave no
   * answer.
   */
  | { readonly kind: 'unreadable'; readonly isSilent: boolean }
  | { readonly kind: 'signed-out' }
  /** `needsSignIn`: the provider ended the session. Reading goes on and the queues wait (C10). */
  | { readonly kind: 'signed-in'; readonly person: Person; readonly needsSignIn: boolean };

export interface Session {
  /** Known from the device alone, without signal; the same in every tab. */
  readonly state: Watched<SessionState>;
  /**
   * This person's tokens. A request for a person asks for theirs, never for those of the person who happens to be
   * signed in (S9).
   */
  tokensFor(userId: string): Tokens;
  /** Whose device this is, read anew: `state` may be stale. Rejects where it cannot be read. */
  personHere(): Promise<Person | undefined>;
  /** Whose session is on this device, if there is one. */
  sessionUser(): Promise<{ id: string; email: string } | undefined>;
  /** Reads the device once more, where it could not be read; nothing otherwise. */
  readAgain(): void;
  /** Resolves with the person's id. */
  signIn(email: string, password: string): Promise<string>;
  /** `confirm`: no session until the mailed link is opened. `taken`: the address has an account already. */
  signUp(email: string, password: string, intention?: Intention): Promise<'session' | 'confirm' | 'taken'>;
  /** Mails the link of a sign-up that is not confirmed once more. */
  resendConfirmation(email: string, intention?: Intention): Promise<void>;
  /** Confirms an address by the code of its mail. Resolves with the person's id; throws where the code is not right. */
  confirmByCode(email: string, code: string): Promise<string>;
  /**
   * Takes the session of a mailed link. `replaces`: who is here, and was asked. False where another person has come in
   * meanwhile; they stay. Throws where the session cannot be had.
   */
  signInByLink(mailed: MailedSession, replaces: string | undefined): Promise<boolean>;
  /** Ends a mailed session that the person signed in did not want. Never rejects. */
  decline(mailed: MailedSession): Promise<void>;
  /** Did this person sign in in this tab? */
  signedInHere(userId: string): boolean;
  sendReset(email: string): Promise<void>;
  /** Changes the password of this person only; throws where they have no session here. */
  updatePassword(userId: string, password: string, proof?: PasswordProof): Promise<void>;
  /** Mails this person a code, which `updatePassword` takes as proof. */
  mailCode(userId: string): Promise<void>;
  /** Ends this person's sessions on every other device. */
  signOutOthers(userId: string): Promise<void>;
  /**
   * Log-out that this person asked for, after they were shown what was not sent. Resolves when nothing of theirs is
   * left; works offline.
   */
  signOut(userId: string): Promise<void>;
  stop(): void;
}

export interface SessionPorts extends LeavingPorts {
  clock: Clock;
  /** The place where the authentication client keeps its session. */
  storage: AuthStorage;
  /** Rejects where there is no configuration to be had. Called again at the next need. */
  openAuth(): Promise<AuthClient>;
  /** The address that mailed links lead back to. */
  homeUrl: string;
}

/** The provider's error where a password is changed in a session that is not recent. */
const proofCodes = new Set(['reauthentication_needed', 'current_password_required']);
const goodbyeMs = 3_000;
/** From here a device that does not answer is called silent; an answer that comes after all still counts. */
const silentAfterMs = 10_000;

export function createSession(ports: SessionPorts): Session {
  const { db, clock, storage } = ports;
  const state = createCell<SessionState>({ kind: 'starting' });
  let opening: Promise<AuthClient> | undefined;
  let leaving: Promise<void> = Promise.resolve();
  let signIns = 0;
  let lastSignedIn: string | undefined;

  /** One sign-in in this tab; `userOf`: who it was. */
  async function signingIn<T>(
    work: () => Promise<T>,
    userOf: (result: T) => string | undefined,
    mayReplace?: (userId: string) => boolean,
  ): Promise<T> {
    signIns += 1;
    try {
      const result = await storage.signingIn(work, mayReplace);
      lastSignedIn = userOf(result) ?? lastSignedIn;
      return result;
    } finally {
      signIns -= 1;
    }
  }

  function auth(): Promise<AuthClient> {
    opening ??= ports.openAuth().catch((error: unknown) => {
      opening = undefined;
      // The message is for the console alone, not for the person.
      ports.log('session', `Failed to initialize authentication client: ${String(error)}`);
      throw error;
    });
    return opening;
  }

  const leadingTo = (intention: Intention | undefined) => `${ports.homeUrl}${intentionQuery(intention)}`;

  let wasLost = false;
  onConnectionLost(db, () => {
    wasLost = true;
    refreshLiveQueries();
  });

  let watching = watch();
  /** Work on what failed is not repeated by itself: what it would have read is unknown. */
  function watch(): { unsubscribe(): void } {
    const cancel = clock.setTimer(silentAfterMs, () => {
      if (state.current().kind === 'starting') state.set({ kind: 'unreadable', isSilent: true });
    });
    const reading = liveQuery(() => readDevice(db)).subscribe({ next: adoptStored, error: cannotRead });
    return { unsubscribe: () => (cancel(), reading.unsubscribe()) };
  }

  function adoptStored({ person, session }: Device): void {
    const before = state.current();
    // Storage that the browser cleared under the open app is no log-out (C10): the form in hand stays, what is saved
    // from now on waits. The session is not written again: the person may have cleared this device on purpose.
    const isCleared = wasLost && person === undefined && before.kind === 'signed-in';
    const here = isCleared ? before.person : person;
    if (!isCleared) wasLost = false;
    const next: SessionState =
      here === undefined
        ? { kind: 'signed-out' }
        : { kind: 'signed-in', person: here, needsSignIn: session === undefined };
    if (JSON.stringify(next) !== JSON.stringify(state.current())) state.set(next);
  }

  function cannotRead(error: unknown): void {
    ports.log('session-unreadable', String(error));
    state.set({ kind: 'unreadable', isSilent: false });
  }

  /** The server's session should end too; without signal it expires by itself. */
  async function sayGoodbye(token: string): Promise<void> {
    try {
      const { error } = await (await auth()).admin.signOut(token, 'local');
      if (error !== null) ports.log('goodbye', error.name);
    } catch (error) {
      ports.log('goodbye', String(error));
    }
  }

  /** One after the other. Rejects where a person who has left could not be removed: no other comes in before that. */
  function leave(): Promise<void> {
    const finish = () => finishLeaving(ports);
    leaving = leaving.then(finish, finish);
    return leaving;
  }

  leave().catch((error: unknown) => ports.log('leaving-failed', String(error)));

  return {
    state,
    tokensFor: (userId) => createTokens({ db, clock, userId, openAuth: auth, log: ports.log }),
    personHere: async () => (await readDevice(db)).person,
    sessionUser: async () => {
      const user = (await readDevice(db)).session?.user;
      return user && { id: user.id, email: user.email ?? '' };
    },
    readAgain: () => {
      if (state.current().kind !== 'unreadable') return;
      watching.unsubscribe();
      state.set({ kind: 'starting' });
      watching = watch();
    },
    signIn: async (email, password) => {
      await leave();
      const client = await auth();
      const { data, error } = await signingIn(
        () => client.signInWithPassword({ email, password }),
        (result) => result.data.user?.id,
      );
      if (error !== null) throw error;
      return data.user.id;
    },
    signUp: async (email, password, intention) => {
      await leave();
      const client = await auth();
      const { data, error } = await signingIn(
        () => client.signUp({ email, password, options: { emailRedirectTo: leadingTo(intention) } }),
        (result) => result.data.session?.user.id,
      );
      if (error?.code === 'user_already_exists') return 'taken';
      if (error !== null) throw error;
      if (data.session !== null) return 'session';
      // The provider does not report that an address is taken; it shows in a user without identities.
      return data.user?.identities?.length === 0 ? 'taken' : 'confirm';
    },
    resendConfirmation: async (email, intention) => {
      const options = { emailRedirectTo: leadingTo(intention) };
      const { error } = await (await auth()).resend({ type: 'signup', email, options });
      if (error !== null) throw error;
    },
    confirmByCode: async (email, code) => {
      await leave();
      const client = await auth();
      const { data, error } = await signingIn(
        () => client.verifyOtp({ email, token: code, type: 'signup' }),
        (result) => result.data.user?.id,
      );
      if (error !== null) throw error;
      return must(data.user, 'the person of a confirmed address').id;
    },
    signInByLink: async ({ accessToken, refreshToken, userId }, replaces) => {
      await leave();
      const client = await auth();
      const work = () => client.setSession({ access_token: accessToken, refresh_token: refreshToken });
      const { error } = await signingIn(
        work,
        (result) => result.data.user?.id,
        (here) => here === replaces,
      );
      if (error !== null) throw error;
      return (await readDevice(db)).person?.userId === userId;
    },
    decline: ({ accessToken }) => sayGoodbye(accessToken),
    signedInHere: (userId) => signIns > 0 || lastSignedIn === userId,
    sendReset: async (email) => {
      const { error } = await (
        await auth()
      ).resetPasswordForEmail(email, { redirectTo: `${ports.homeUrl}/edit-account` });
      if (error !== null) throw error;
    },
    updatePassword: async (userId, password, proof) => {
      const client = await auth();
      const shown =
        proof === undefined
          ? {}
          : 'code' in proof
            ? { nonce: proof.code }
            : { current_password: proof.currentPassword };
      const { error } = await storage.actingFor(userId, () => client.updateUser({ password, ...shown }));
      if (error !== null && proofCodes.has(String(error.code))) throw new ProofNeeded(error.message);
      if (error !== null) throw error;
    },
    mailCode: async (userId) => {
      const client = await auth();
      const { error } = await storage.actingFor(userId, () => client.reauthenticate());
      if (error !== null) throw error;
    },
    signOutOthers: async (userId) => {
      const client = await auth();
      const { error } = await storage.actingFor(userId, () => client.signOut({ scope: 'others' }));
      if (error !== null) throw error;
    },
    signOut: async (userId) => {
      wasLost = false;
      const session = await forgetPerson(db, userId);
      await leave();
      if (session !== undefined) await within(clock, goodbyeMs, sayGoodbye(session.access_token), undefined);
    },
    stop: () => {
      watching.unsubscribe();
      void opening?.then((client) => client.dispose()).catch(() => undefined);
    },
  };
}
