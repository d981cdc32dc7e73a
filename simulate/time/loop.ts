import type { CancelTimer } from '../../app/db/clock.ts';
import { realTime } from './real-time.ts';

/** What runs programs and can stop: a tab, a server's process. `dead` is for ever. */
export interface SimProcess {
  readonly name: string;
  state: 'running' | 'frozen' | 'dead';
  /** What fell due while it was frozen, in order. */
  held: (() => void)[];
  /** Ends it after so many more awaits; undefined where no kill is planned. */
  fuse: Fuse | undefined;
  /** Frozen for minutes: events that wake others do not wake it. */
  isAsleep?: boolean;
}

export interface Fuse {
  left: number;
  burn(): void;
}

export function createProcess(name: string): SimProcess {
  return { name, state: 'running', held: [], fuse: undefined };
}

interface Task {
  at: number;
  order: number;
  proc: SimProcess | undefined;
  act: () => void;
  isCancelled: boolean;
}

/**
 * Virtual time. Everything that happens in the simulator is a task at an instant; between two tasks all promises
 * settle, so a task is what runs between two awaits on a port, and the seed alone decides the order.
 */
export interface Loop {
  /** Virtual milliseconds since the beginning. */
  now(): number;
  /** Runs `act` in `ms`, unless its process has ended by then; a frozen process does it when it thaws. */
  after(ms: number, act: () => void, proc?: SimProcess): CancelTimer;
  /** This process has come one await further: a task has run, or its disk got a request. */
  stepOn(proc: SimProcess): void;
  /** Resolves in `ms`, or never where the process ends before. */
  pause(ms: number, proc?: SimProcess): Promise<void>;
  thaw(proc: SimProcess): void;
  end(proc: SimProcess): void;
  /** Work outside of virtual time (a real database): no task runs until it is done. */
  outside<T>(work: () => Promise<T>): Promise<T>;
  /** Runs what falls due within `ms`; afterwards so much virtual time has passed. */
  pass(ms: number): Promise<void>;
  /** So much time passes in which no program runs, as where machines sleep: what falls due in it happens afterwards. */
  sleep(ms: number): void;
  /** Tasks run so far. */
  tasks(): number;
  /** Data of the running task for the tasks it starts; gone with it. */
  mark: unknown;
}

export function createLoop(): Loop {
  const heap: Task[] = [];
  let now = 0;
  let made = 0;
  let ran = 0;
  let outside = 0;
  let whenInside: (() => void) | undefined;

  const isBefore = (one: Task, other: Task) => one.at < other.at || (one.at === other.at && one.order < other.order);

  function push(task: Task): void {
    let at = heap.push(task) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(task, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = task;
  }

  function pop(): void {
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
  }

  function after(ms: number, act: () => void, proc?: SimProcess): CancelTimer {
    made += 1;
    const task: Task = { at: now + Math.max(0, ms), order: made, proc, act, isCancelled: false };
    push(task);
    return () => void (task.isCancelled = true);
  }

  function run({ proc, act, isCancelled }: Task): void {
    if (isCancelled || proc?.state === 'dead') return;
    if (proc?.state === 'frozen') proc.held.push(act);
    else {
      ran += 1;
      loop.mark = undefined;
      act();
      if (proc !== undefined) stepOn(proc);
    }
  }

  function stepOn({ fuse }: SimProcess): void {
    if (fuse === undefined) return;
    fuse.left -= 1;
    if (fuse.left === 0) after(0, fuse.burn);
  }

  const loop: Loop = {
    mark: undefined,
    now: () => now,
    after,
    stepOn,
    pause: (ms, proc) => new Promise((resolve) => void after(ms, resolve, proc)),
    thaw: (proc) => {
      if (proc.state !== 'frozen') return;
      proc.state = 'running';
      for (const act of proc.held.splice(0)) after(0, act, proc);
    },
    end: (proc) => {
      proc.state = 'dead';
      proc.held = [];
    },
    outside: async (work) => {
      outside += 1;
      try {
        return await work();
      } finally {
        outside -= 1;
        if (outside === 0) whenInside?.();
      }
    },
    pass: (ms) => {
      const until = now + ms;
      return new Promise((resolve, reject) => {
        const turn = () => {
          if (outside > 0) {
            whenInside = () => {
              whenInside = undefined;
              realTime.soon(turn);
            };
            return;
          }
          const next = heap[0];
          if (next === undefined || next.at > until) {
            now = until;
            return resolve();
          }
          pop();
          now = Math.max(now, next.at);
          try {
            run(next);
          } catch (error) {
            return reject(error instanceof Error ? error : new Error(String(error)));
          }
          // A turn of the real event loop: every promise that can settle has settled before the next task.
          realTime.soon(turn);
        };
        realTime.soon(turn);
      });
    },
    sleep: (ms) => {
      now += ms;
    },
    tasks: () => ran,
  };
  return loop;
}
