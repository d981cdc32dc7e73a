import { createContext, useCallback, useContext } from 'react';
import type { Caller } from '../api/call.ts';
import type { DraftSlots } from '../db/draft-slots.ts';
import type { PersonDb, PhotoEntry } from '../db/person-db.ts';
import type { HeldChanges } from '../held/held-changes.ts';
import type { Live } from '../db/use-live.ts';
import type { Intention } from '../lib/sign-in-href.ts';
import type { Cell, Watched } from '../lib/cell.ts';
import type { Person } from './watch-person.ts';
import type { Unsynced } from './watch-unsynced.ts';
import { useWatched } from './use-watched.ts';
import type { AuthRedirect } from '../session/auth-redirect.ts';
import type { Devices } from '../session/devices.ts';
import type { KeptScreen } from '../session/kept-screens.ts';
import type { PasswordProof } from '../session/proof-needed.ts';
import type { UploadQueue } from '../photos/upload-queue.ts';
import type { PutLogo } from '../photos/put-logo.ts';
import type { AppUpdate } from '../pwa/app-update.ts';
import type { InstallOffer } from '../pwa/install-offer.ts';
import type { PushAlerts } from '../pwa/push-alerts.ts';
import type { CollectionMemory } from '../collections/collection-memory.ts';
import type { Sync } from '../sync/create-sync.ts';
import type { Toasts } from '../ui/create-toasts.ts';
import type { ConnectionKind } from '../words/connection-words.ts';
import type { WhyPassword } from '../session/mailed-session.ts';

/** Sign-in as screens need it; the provider's own words come as an Error's message. */
export interface Auth {
  signIn(email: string, password: string): Promise<void>;
  /** `confirm`: no session until the mailed link is opened. `taken`: the address has an account already. */
  /** The mailed link leads on to `intention`. */
  signUp(email: string, password: string, intention?: Intention): Promise<'session' | 'confirm' | 'taken'>;
  /** Mails the link of a sign-up that is not confirmed once more. */
  resendConfirmation(email: string, intention?: Intention): Promise<void>;
  /** Confirms an address by the six digits of its mail, and signs in. */
  confirmByCode(email: string, code: string): Promise<void>;
  sendReset(email: string): Promise<void>;
  /** The address of the session there is, or null. */
  sessionEmail(): Promise<string | null>;
  /**
   * A new password for the person signed in. Throws `ProofNeeded` where their sign-in is not recent and no proof is
   * given.
   */
  updatePassword(password: string, proof?: PasswordProof): Promise<void>;
  /** Mails them a code that is such a proof. */
  mailCode(): Promise<void>;
  /** The devices on which they are signed in. */
  readonly devices: Devices;
}

/** Pages of other sites: paying, and managing the subscription. */
export interface OtherPages {
  goTo(url: string): void;
  /** Opens a tab at once, while the person's tap still counts, for an address that is still being asked for. */
  openTab(): { goTo(url: string): void; close(): void };
}

export interface ShrunkPhoto {
  readonly bytes: ArrayBuffer;
  readonly type: string;
  readonly name: string;
}

/** Photos of jobs, from the time they are picked. */
export interface JobPhotos {
  /** A JPEG of 1 MB and 1920 px at most, without EXIF; the original where that fails. */
  shrink(file: File): Promise<ShrunkPhoto>;
  /** What is queued with the job, in its own transaction: the path is fixed here. */
  entry(jobId: string, photo: ShrunkPhoto & { readonly id: string }): PhotoEntry;
  /** Uploads a failed one again. */
  retry(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** What is open for the person who is signed in on this device. */
export interface SessionContext {
  readonly userId: string;
  readonly db: PersonDb;
  /** A draft for each open form. */
  readonly drafts: DraftSlots;
  readonly sync: Sync;
  /** Changes that nothing takes back once they are sent, for the seconds in which the person still can. */
  readonly held: HeldChanges;
  readonly feed: CollectionMemory<'feed'>;
  /**
   * Jobs outside of the regions that the person works in: held back while the browser saves data, until they ask
   * (`fetch`); where there are too many for a phone, those of regions come when they are asked for (`ask`;
   * `here`: those that are only the last that were asked for, and stay the longest).
   */
  readonly feedRest: {
    readonly isHeldBack: Watched<boolean>;
    fetch(): void;
    ask(regions: readonly string[], here: readonly string[]): void;
  };
  /** The person's own row; screens ask `usePerson`. */
  readonly person: Watched<Live<Person | null>>;
  /** What the server has not taken yet; screens ask `useUnsynced`. */
  readonly unsynced: Watched<Live<Unsynced>>;
  /** How many changes were restored from the outbox backup because the browser had lost them. */
  readonly restoredChanges: Watched<number>;
  /** Sends a new logo that was chosen without signal. */
  readonly logoUploads: UploadQueue;
  readonly photos: JobPhotos;
  /** Keeps what the page at this path shows, for its next cold start; undefined: what was kept is not true any more. */
  keepScreen(path: string, screen: Omit<KeptScreen, 'userId'> | undefined): Promise<void>;
  /** Wipes the person's storage and signs out, also without signal (C10). */
  logOut(): Promise<void>;
}

export type AuthState =
  | { readonly kind: 'starting' }
  /** No configuration, and no copy of one. */
  | { readonly kind: 'unable'; readonly message: string }
  | { readonly kind: 'signed-out' }
  | {
      readonly kind: 'signed-in';
      readonly email: string;
      /** The account has no profile record yet: the sign-in dialog goes on at its details. */
      readonly lacksProfile: boolean;
      /** The provider ended the session: reading goes on, the queues wait (C10). */
      readonly needsSignIn: boolean;
      readonly context: SessionContext;
    };

export type SignedIn = Extract<AuthState, { kind: 'signed-in' }>;

/** The state of the connection, as real requests found it. */
export interface ConnectionStatus {
  readonly kind: ConnectionKind;
  /** ISO instant of the last answer applied; null before the first. */
  readonly lastSynced: string | null;
}

/** A mailed link would sign in another person than the one who is signed in. */
export interface LinkQuestion {
  readonly here: { readonly userId: string; readonly email: string };
  readonly comingEmail: string;
  answer(comesIn: boolean): void;
}

/** What a browser has cleared that the server does not have. */
export interface Unsent {
  /** ISO instant: by then all had been sent. */
  readonly sentAt: string;
  /** So many things at most; undefined where that was not counted. */
  readonly count?: number | undefined;
}

/** What becomes of the session that a mailed link brings; `none` also once its person is signed in. */
export type LinkProgress = 'none' | 'signing-in' | 'failed';

/** Who came by a mailed link to choose a password. */
export interface PasswordChoice {
  readonly userId: string;
  readonly reason: WhyPassword;
}

/** What a person has just done that makes alerts worth something to them. */
export interface AlertOffer {
  readonly userId: string;
  readonly after: 'search' | 'interest' | 'job';
  /** The job they are interested in: the offer stands with it. */
  readonly about?: string;
}

/** Everything a screen may use, made once by the composition root: no module keeps state. */
export interface App {
  readonly toasts: Toasts;
  readonly authState: Watched<AuthState>;
  readonly connection: Watched<ConnectionStatus>;
  /** What the mailed link was for. */
  readonly authRedirect: {
    /** Reported once. */
    take(): AuthRedirect;
    /**
     * False where another person is signed in here and chose to stay: the link does nothing then. Known before its
     * session is taken.
     */
    readonly comesIn: Promise<boolean>;
    /** True when the address is no longer needed and may be cleared. */
    readonly settled: Promise<boolean>;
    readonly progress: Watched<LinkProgress>;
  };
  /** Reads the session again, after 'unable'. */
  retryStart(): void;
  readonly auth: Auth;
  readonly caller: Caller;
  readonly reference: CollectionMemory<'reference'>;
  /** Every tradie, without contacts: also for visitors who are signed out. */
  readonly directory: CollectionMemory<'directory'>;
  /** Puts a business's picture into the bucket `tradie-logos`; needs signal. */
  readonly putLogo: PutLogo;
  readonly otherPages: OtherPages;
  /** Back from paying: the person's row is asked for anew. */
  onSubscription(): void;
  /** The profile record was made: the queues may send. */
  onProfile(): void;
  /** The first point at which installing the app may be offered. */
  offerInstallAfter(event: 'first-interest' | 'subscription'): void;
  /** A newer version of the app, when there is one; the person decides when to load it. */
  readonly update: AppUpdate;
  /** How many forms hold something unsent; while one does, no reload is offered. */
  readonly dirtyForms: Cell<number>;
  /** The offer to install, once `offerInstallAfter` was called. */
  readonly install: InstallOffer;
  /** Alerts on this device, with the app closed. */
  readonly alerts: PushAlerts;
  /** What makes alerts worth offering now; null while nothing does. */
  readonly alertOffer: Cell<AlertOffer | null>;
  /** To ask the person who is signed in; null while there is nothing to ask. */
  readonly linkQuestion: Watched<LinkQuestion | null>;
  /** A person who came by a mailed link to choose a password; null once they chose one. */
  readonly choosesPassword: Cell<PasswordChoice | null>;
  /** This page was another person's until a sign-in in another tab of this browser; false once that was read. */
  readonly isTakenOver: Cell<boolean>;
  /**
   * A person was signed in here, and the browser has lost who: its storage was cleared or damaged (C4). False once that
   * was read.
   */
  readonly isPersonLost: Cell<boolean>;
  /** Not all of what was lost had been sent. Null where nothing of that is known, or it was read. */
  readonly unsent: Cell<Unsent | null>;
  /**
   * A browser that may delete the site's storage after a week without a visit, and sends only while the page is open
   * (iOS, not installed).
   */
  readonly evictsAfterWeek: boolean;
  /** Opened at an address that browsers call insecure (http, anywhere but this machine): nothing can be saved here. */
  readonly isInsecure: boolean;
  /** For this device's own log: not shown on any screen, without personal data. */
  log(event: string, detail: string): void;
  /** A new UUID version 7. */
  newId(): string;
  /** ISO instant, by the server's clock where this device's is known to be wrong. */
  now(): string;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error('useApp needs an AppContext above it');
  return app;
}

export function useAuthState(): AuthState {
  return useWatched(useApp().authState);
}

/** The session context; only below a gate that has made sure a person is signed in. */
export function useSessionContext(): SessionContext {
  const authState = useAuthState();
  if (authState.kind !== 'signed-in') throw new Error('useSessionContext needs a person who is signed in');
  return authState.context;
}

/** Opens the sign-in dialog, on any page; with an intention it leads on to there. */
export const OpenSignInContext = createContext<(intention?: Intention) => void>(() => undefined);

export function useOpenSignInFor(): (intention?: Intention) => void {
  return useContext(OpenSignInContext);
}

export function useOpenSignIn(): () => void {
  const open = useOpenSignInFor();
  return useCallback(() => open(), [open]);
}
