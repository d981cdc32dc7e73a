import type { Deps } from '../ports/deps.ts';

interface WatchParts extends Pick<Deps, 'verifyToken' | 'closing'> {
  /** Milliseconds between two rounds. */
  everyMs?: number;
}

/** Calls `end` once the token's session is gone. The returned function stops the checks. */
export type WatchSession = (token: string, end: () => void) => () => void;

/**
 * Checks every few seconds whether a stream's session is still there: a token is only verified where a request begins,
 * and a stream is one request for half an hour. Each instance checks its own streams, one after the other, so that many
 * of them make the round longer and never the database busy. A failed check ends nothing.
 */
export function watchSessions({ verifyToken, closing, everyMs = 5_000 }: WatchParts): WatchSession {
  const watched = new Map<() => void, string>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    for (const [end, token] of Array.from(watched)) {
      if (!watched.has(end)) continue;
      const isOver = await verifyToken(token).then(
        (claims) => claims === undefined,
        () => false,
      );
      if (isOver && watched.has(end)) end();
    }
    timer = undefined;
    plan();
  }

  function plan(): void {
    if (timer === undefined && watched.size > 0 && !closing.aborted)
      timer = setTimeout(() => void look(), everyMs).unref();
  }

  return (token, end) => {
    watched.set(end, token);
    plan();
    return () => void watched.delete(end);
  };
}
