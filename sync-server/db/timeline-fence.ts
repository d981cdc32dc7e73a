/**
 * The database that answers is an earlier timeline of one that this server has used: what it says is superseded, and
 * must not be used.
 */
export class TimelineEnded extends Error {
  override name = 'TimelineEnded';
  /** SQLSTATE "cannot connect now". */
  readonly code = '57P03';
  constructor(
    message = 'the database is an earlier one: a later timeline has begun elsewhere (a primary that came back after a fail-over, or files that were put back). If it is to be used after all: npm run ops -- restored',
  ) {
    super(message);
  }
}

/** What a database says of its timeline. */
export interface TimelineSeen {
  timeline: string;
  /** Those that came before it. */
  ended: readonly string[];
  /** A device has shown that a later timeline of it answered. */
  isSuperseded?: boolean | undefined;
}

/**
 * Which timelines have ended, as far as this server has seen (S5). A database that is still in one of them is refused,
 * at every new connection: a primary that comes back after its standby was promoted would otherwise take writes that
 * are lost, and answer as the old timeline. So is one that a device has shown a later timeline of (S14).
 */
export interface TimelineFence {
  /** Grows whenever a timeline ends: what was checked before is to be checked again. */
  generation(): number;
  /** @throws TimelineEnded */
  check(seen: TimelineSeen): void;
  /** Calls whenever a timeline has ended. */
  onEnd(ended: () => void): void;
}

export function createTimelineFence(known: readonly string[] = []): TimelineFence {
  const ended = new Set(known);
  const listeners: (() => void)[] = [];
  let generation = 0;
  return {
    generation: () => generation,
    check(seen) {
      if (seen.isSuperseded === true || ended.has(seen.timeline)) throw new TimelineEnded();
      const isNews = seen.ended.filter((one) => !ended.has(one));
      if (isNews.length === 0) return;
      for (const one of isNews) ended.add(one);
      generation += 1;
      for (const tell of listeners) tell();
    },
    onEnd: (tell) => void listeners.push(tell),
  };
}

/**
 * The same for the embedded database, which has no connections to check: each query asks whether it may still be used.
 */
export interface EmbeddedFence extends TimelineFence {
  /** @throws TimelineEnded */
  mustAnswer(): void;
  isEnded(): boolean;
}

/** @param areSame Are the files on the disk still those that were opened? */
export function createEmbeddedFence(areSame: () => boolean): EmbeddedFence {
  const fence = createTimelineFence();
  let ended: TimelineEnded | undefined;
  const isEnded = () => {
    if (ended === undefined && !areSame())
      ended = new TimelineEnded(
        'the files of the database were replaced while this server runs: restart it. Nothing more is read or written',
      );
    return ended !== undefined;
  };
  return {
    ...fence,
    isEnded,
    mustAnswer() {
      if (isEnded()) throw ended ?? new TimelineEnded();
    },
    check(seen) {
      try {
        fence.check(seen);
      } catch (error) {
        if (error instanceof TimelineEnded) ended ??= error;
        throw error;
      }
    },
  };
}
