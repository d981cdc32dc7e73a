import type { CarriedChange } from '../../shared/protocol/poke.ts';
import type { CancelTimer } from '../db/clock.ts';
import type { WakeReason } from './ports.ts';

/** Which state the loop is in (C8). */
export type Phase = State['phase'];

/** Where nothing is under way, and nothing but a signal ends it. */
interface Resting {
  readonly phase: 'idle' | 'needs-sign-in' | 'needs-update';
  readonly cancel?: undefined;
  readonly isHeld?: undefined;
}

export interface Exchanging {
  readonly phase: 'exchanging';
  /** Gives the exchange up. A report of an exchange that is not the present state is ignored. */
  readonly cancel: () => void;
  /** Shown until the exchange has found that it is gone. */
  readonly obstacle: Obstacle | undefined;
  readonly isHeld?: undefined;
  /** Woken meanwhile: one more exchange, however many wakes (L6). */
  goAgain: boolean;
  /** Carried changes that came meanwhile: applied after it, where they still begin where this device stands. */
  readonly changes: CarriedChange[];
}

/** The back-off runs (L7): the only timer of a waiting loop; the watchdog restarts the loop where it is lost. */
export interface BackingOff {
  readonly phase: 'waiting' | 'storage-blocked';
  readonly cancel: CancelTimer;
  /** The server said when to ask again: a tab that becomes visible does not ask sooner. */
  readonly isHeld: boolean;
}

/** The state of the loop, with what each state holds. */
export type State = Resting | Exchanging | BackingOff;

export type Obstacle = 'needs-sign-in' | 'needs-update' | 'storage-blocked';

/** What comes from outside, or from the back-off's timer. */
export type Signal =
  /** Something to send or to fetch, but no reason to think the network is any better than it was. */
  | 'wake'
  /** The 60 s question. */
  | 'timer'
  /** A sign that things may have changed: back online, visible again, the worker's sync. */
  | 'hint'
  /** The person's tap, or their sign-in: forgets the back-off. */
  | 'tap'
  /** The back-off is over. */
  | 'due';

/** How an exchange ended. One that was given up on reports nothing: it is not the present state. */
export type Report =
  /** An answer is in and there is nothing left to do. */
  | 'settled'
  /** An answer is in (or the question must be put differently) and there is reason to ask again at once. */
  | 'more'
  | 'failed'
  | 'unauthorized'
  | 'too-old'
  | 'storage-failed'
  /** This tab no longer leads. */
  | 'deposed';

export type Next =
  /** Nothing changes. */
  | { readonly act: 'none' }
  | { readonly act: 'rest'; readonly to: Resting['phase'] }
  /** Ask now. */
  | { readonly act: 'exchange' }
  /** Ask once more when the exchange under way is over. */
  | { readonly act: 'go-again' }
  /** Set the back-off timer. */
  | { readonly act: 'back-off'; readonly to: BackingOff['phase'] };

const stay: Next = { act: 'none' };
const ask: Next = { act: 'exchange' };
const again: Next = { act: 'go-again' };
const rest: Next = { act: 'rest', to: 'idle' };

/** Every state against every signal: a gap does not compile. */
export const onSignal: Readonly<Record<Phase, Readonly<Record<Signal, Next>>>> = {
  idle: { wake: ask, timer: ask, hint: ask, tap: ask, due: ask },
  exchanging: { wake: again, timer: stay, hint: stay, tap: again, due: stay },
  // The back-off timer is running and will see to it.
  waiting: { wake: stay, timer: stay, hint: ask, tap: ask, due: ask },
  // Without a session each try is another 401; now and then one asks all the same, because 401s have been wrong before
  // (I15).
  'needs-sign-in': { wake: stay, timer: ask, hint: ask, tap: ask, due: stay },
  // Only a newer app can help, or a server that was rolled back.
  'needs-update': { wake: stay, timer: stay, hint: ask, tap: ask, due: stay },
  'storage-blocked': { wake: stay, timer: stay, hint: ask, tap: ask, due: ask },
};

/** The loop's next step after an exchange. */
export const onReport: Readonly<Record<Report, Next>> = {
  settled: rest,
  more: ask,
  failed: { act: 'back-off', to: 'waiting' },
  unauthorized: { act: 'rest', to: 'needs-sign-in' },
  'too-old': { act: 'rest', to: 'needs-update' },
  'storage-failed': { act: 'back-off', to: 'storage-blocked' },
  deposed: rest,
};

/** What keeps the loop from its work, also while it tries in the background whether that is still there. */
export function obstacleOf(state: State): Obstacle | undefined {
  if (state.phase === 'exchanging') return state.obstacle;
  return state.phase === 'idle' || state.phase === 'waiting' ? undefined : state.phase;
}

/** The loop's signal for a wake. */
export const signalOf: Readonly<Record<WakeReason, Signal>> = {
  enqueue: 'wake',
  poke: 'wake',
  timer: 'timer',
  online: 'hint',
  offline: 'wake',
  visible: 'hint',
  pageshow: 'hint',
  sync: 'hint',
  tap: 'tap',
  'signed-in': 'tap',
};
