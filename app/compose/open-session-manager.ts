import type { App, AuthState } from '../context/app-context.ts';
import type { Clock } from '../db/clock.ts';
import type { CollectionDb } from '../db/person-db.ts';
import type { Cell, Watched } from '../lib/cell.ts';
import { showHeldOutcome } from '../hooks/show-held-outcome.ts';
import { showOutcomeWhenDecided } from '../hooks/show-outcome.ts';
import { dropFeedPhotos, trimPictures } from '../pwa/photo-cache.ts';
import type { Session, SessionState } from '../session/create-session.ts';
import type { DeviceDb } from '../session/device-db.ts';
import type { DownloadedSegments } from '../collections/downloaded-segments.ts';
import { correctedBy } from '../sync/corrected-now.ts';
import type { Toasts } from '../ui/create-toasts.ts';
import type { Configured } from './create-configured.ts';
import { openSessionContext, type OpenSessionContext } from './open-session-context.ts';
import type { FollowedConnectionStatus } from './create-connection-status.ts';
import { createPublicCollections, type PublicCollectionName } from './public-collections.ts';

interface SessionManagerPorts {
  session: Session;
  configured: Configured;
  deviceDb: DeviceDb;
  publicDb: CollectionDb;
  clock: Clock;
  downloaded: DownloadedSegments;
  fetch: typeof fetch;
  toasts: Toasts;
  reference: App['reference'];
  evictsAfterWeek: boolean;
  authState: Cell<AuthState>;
  connection: FollowedConnectionStatus;
  /** Set where the page becomes another person's without a sign-in on this page. */
  isTakenOver: Cell<boolean>;
  log(event: string, detail: string): void;
}

export interface SessionManager extends Watched<AuthState> {
  /** Closes this person's session context, if it is the open one. */
  close(userId: string): Promise<void>;
  retry(): void;
  /** Something was changed elsewhere (a profile made, a payment): ask the server now. */
  wakeUp(): void;
  /** A screen shows this public list, or there is time to fetch it. One call is enough. */
  want(collection: PublicCollectionName): void;
  now(): string;
}

const silent = "This phone's storage has stopped answering. Try again loads the page anew; what is saved stays.";

/** Follows the session and keeps the session context open that belongs to it. */
export function openSessionManager(ports: SessionManagerPorts): SessionManager {
  const { session, configured, authState, connection, log } = ports;
  const publicCollections = createPublicCollections({ ...ports, onReach: connection.hear });
  let context: OpenSessionContext | null = null;
  let turn = Promise.resolve();
  let leaving = Promise.resolve();

  /** A caller that comes while it is being closed waits for the same close. */
  function closeContext(): Promise<void> {
    const left = context;
    if (left !== null) {
      context = null;
      connection.follow(null);
      leaving = left.close();
    }
    return leaving;
  }

  async function settle(state: SessionState): Promise<void> {
    if (state.kind === 'starting') return;
    if (state.kind === 'unreadable')
      return authState.set({
        kind: 'unable',
        message: state.isSilent ? silent : 'This browser would not let us read what is saved here.',
      });
    if (state.kind === 'signed-out' || state.person.userId !== context?.userId) {
      if (context !== null) {
        authState.set({ kind: state.kind === 'signed-out' ? 'signed-out' : 'starting' });
        // A notice about the changes of the person before (I17).
        if (state.kind === 'signed-in') ports.toasts.dismiss();
        ports.isTakenOver.set(state.kind === 'signed-in' && !session.signedInHere(state.person.userId));
      }
      await closeContext();
    }
    if (state.kind === 'signed-in' && context === null) {
      publicCollections.stop();
      const { userId } = state.person;
      context = openSessionContext({
        ...ports,
        userId,
        config: await configured.wait(),
        onFeedDenied: async (own) => {
          if ('caches' in window) await dropFeedPhotos(window.caches, own);
        },
        onEvent: (event) => {
          if (event.kind === 'storage-tight' && 'caches' in window)
            void trimPictures(window.caches).catch((error: unknown) => log('pictures-untrimmed', String(error)));
        },
      });
      enter(context);
    }
    if (state.kind === 'signed-out') {
      // The lists need no configuration, and where no answer comes their requests say so.
      publicCollections.start();
      await configured.wait();
    }
    show();
  }

  function enter(entered: OpenSessionContext): void {
    connection.follow(entered);
    entered.sync.status.subscribe(() => entered === context && show());
    const onSeeWhy = () => window.location.assign('/waiting');
    entered.held.onMade((made) => showHeldOutcome({ ...ports, context: entered, onSeeWhy }, made));
    // No screen waits for what was queued before the app was opened; the person still hears of it.
    entered.sync.unsent().then(
      ({ mutations }) =>
        mutations.forEach(({ name, uid }) => {
          void showOutcomeWhenDecided({ ...ports, context: entered, onSeeWhy }, name, uid);
        }),
      (error: unknown) => log('unsent-unread', String(error)),
    );
  }

  function show(): void {
    const state = session.state.current();
    const before = authState.current();
    if (state.kind === 'signed-out') return authState.set({ kind: 'signed-out' });
    if (state.kind !== 'signed-in' || context === null) return;
    const lacksProfile = context.sync.status.current().isProfileMissing;
    const { email } = state.person;
    const { needsSignIn } = state;
    const isSame =
      before.kind === 'signed-in' &&
      before.context === context &&
      before.email === email &&
      before.lacksProfile === lacksProfile &&
      before.needsSignIn === needsSignIn;
    if (before.kind === 'signed-in' && before.context === context && before.needsSignIn && !needsSignIn)
      context.sync.wakeUp('signed-in');
    if (!isSame) authState.set({ kind: 'signed-in', email, lacksProfile, needsSignIn, context });
  }

  function follow(): void {
    turn = turn
      .then(() => settle(session.state.current()))
      .catch((error: unknown) =>
        authState.set({ kind: 'unable', message: error instanceof Error ? error.message : String(error) }),
      );
  }

  session.state.subscribe(follow);
  follow();

  return {
    current: authState.current,
    subscribe: authState.subscribe,
    close: async (userId) => {
      if (context === null || context.userId === userId) await closeContext();
    },
    retry: () => {
      const state = session.state.current();
      // The connection is the same: to ask again would help nothing.
      if (state.kind === 'unreadable' && state.isSilent) return window.location.reload();
      authState.set({ kind: 'starting' });
      session.readAgain();
      follow();
    },
    wakeUp: () => context?.sync.wakeUp('signed-in'),
    want: publicCollections.want,
    // From memory: what was heard and what time it is must change together.
    now: () => correctedBy(context?.db.rows.shown.meta.get('serverTimeOffset')?.value, ports.clock.now()),
  };
}
