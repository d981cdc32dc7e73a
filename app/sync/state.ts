import type { WakeReason } from './ports.ts';

/** The state of the loop (C8). */
export type State = 'idle' | 'exchanging' | 'waiting' | 'needs-sign-in' | 'needs-update' | 'storage-blocked';

export type LoopEvent =
  /** Something to send or to fetch, but no reason to think the network is any better than it was. */
  | 'wake'
  /** The 60 s question. */
  | 'timer'
  /** A sign that things may have changed: back online, visible again, the worker's sync. */
  | 'hint'
  /** The person's tap. */
  | 'tap'
  | 'signed-in'
  /** The back-off is over. */
  | 'due'
  /** An answer is in and there is nothing left to do. */
  | 'settled'
  /** An answer is in (or the question must be put differently) and there is reason to ask again at once. */
  | 'more'
  | 'fault'
  | 'unauthorized'
  | 'too-old'
  | 'storage-failed'
  /** This tab no longer leads. */
  | 'deposed';

export type Act =
  | 'none'
  /** Ask now. */
  | 'exchange'
  /** Ask now, and forget how often it has failed. */
  | 'exchange-afresh'
  /** Set the back-off timer. */
  | 'back-off'
  /** Ask once more when the exchange under way is over. */
  | 'go-again';

export interface Next {
  readonly to: State;
  readonly act: Act;
}

const stay = (to: State): Next => ({ to, act: 'none' });
const ask: Next = { to: 'exchanging', act: 'exchange' };
const askAfresh: Next = { to: 'exchanging', act: 'exchange-afresh' };
const again: Next = { to: 'exchanging', act: 'go-again' };
const rest: Next = { to: 'idle', act: 'none' };

/** An exchange that was given up on (deposed, restarted) may still report: it is ignored. */
const lateReports = (
  state: State,
): Pick<Record<LoopEvent, Next>, 'settled' | 'more' | 'fault' | 'unauthorized' | 'too-old'> => ({
  settled: stay(state),
  more: stay(state),
  fault: stay(state),
  unauthorized: stay(state),
  'too-old': stay(state),
});

/** Every state against every event: a gap does not compile. */
export const transitions: Readonly<Record<State, Readonly<Record<LoopEvent, Next>>>> = {
  idle: {
    ...lateReports('idle'),
    wake: ask,
    timer: ask,
    hint: ask,
    tap: askAfresh,
    'signed-in': askAfresh,
    due: ask,
    'storage-failed': { to: 'storage-blocked', act: 'back-off' },
    deposed: rest,
  },
  exchanging: {
    wake: again,
    timer: stay('exchanging'),
    hint: stay('exchanging'),
    tap: again,
    'signed-in': again,
    due: stay('exchanging'),
    settled: rest,
    more: ask,
    fault: { to: 'waiting', act: 'back-off' },
    unauthorized: stay('needs-sign-in'),
    'too-old': stay('needs-update'),
    'storage-failed': { to: 'storage-blocked', act: 'back-off' },
    deposed: rest,
  },
  waiting: {
    ...lateReports('waiting'),
    // The back-off timer is running and will see to it.
    wake: stay('waiting'),
    timer: stay('waiting'),
    hint: ask,
    tap: askAfresh,
    'signed-in': askAfresh,
    due: ask,
    'storage-failed': { to: 'storage-blocked', act: 'back-off' },
    deposed: rest,
  },
  'needs-sign-in': {
    ...lateReports('needs-sign-in'),
    // Without a session each try is another 401; now and then one asks all the same, because 401s have been wrong before (I15).
    wake: stay('needs-sign-in'),
    timer: ask,
    hint: ask,
    tap: askAfresh,
    'signed-in': askAfresh,
    due: stay('needs-sign-in'),
    'storage-failed': { to: 'storage-blocked', act: 'back-off' },
    deposed: rest,
  },
  'needs-update': {
    ...lateReports('needs-update'),
    // Only a newer app can help, or a server that was rolled back.
    wake: stay('needs-update'),
    timer: stay('needs-update'),
    hint: ask,
    tap: askAfresh,
    'signed-in': askAfresh,
    due: stay('needs-update'),
    'storage-failed': { to: 'storage-blocked', act: 'back-off' },
    deposed: rest,
  },
  'storage-blocked': {
    ...lateReports('storage-blocked'),
    wake: stay('storage-blocked'),
    timer: stay('storage-blocked'),
    hint: ask,
    tap: askAfresh,
    'signed-in': askAfresh,
    due: ask,
    'storage-failed': { to: 'storage-blocked', act: 'back-off' },
    deposed: rest,
  },
};

/** The next state after an event, and the actions on the way (C8); every pair has its answer. */
export function next(state: State, event: LoopEvent): Next {
  return transitions[state][event];
}

/** The loop's event for a wake. */
export const eventOfWake: Readonly<Record<WakeReason, LoopEvent>> = {
  enqueue: 'wake',
  poke: 'wake',
  timer: 'timer',
  online: 'hint',
  visible: 'hint',
  pageshow: 'hint',
  sync: 'hint',
  tap: 'tap',
  'signed-in': 'signed-in',
};
