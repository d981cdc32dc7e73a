/** What a service worker has under way. */
export interface UnderWay {
  /** Ends with everything else. */
  readonly fetch: typeof globalThis.fetch;
  /** Of what is begun now. */
  signal(): AbortSignal;
  /** Ends all that was begun until now; what is begun afterwards goes its way. */
  end(): void;
}

/**
 * A browser lets a new version of the worker take over once the old one has nothing under way, or after some minutes:
 * one exchange or picture that hangs would keep a person waiting who has asked for the new version.
 */
export function createUnderWay(fetch: typeof globalThis.fetch): UnderWay {
  let ending = new AbortController();
  const signal = () => ending.signal;
  return {
    signal,
    fetch: (input, init) => {
      const attempt = new AbortController();
      for (const either of [init?.signal, signal()]) {
        if (either?.aborted === true) attempt.abort(either.reason);
        either?.addEventListener('abort', () => attempt.abort(either.reason), { once: true });
      }
      return fetch(input, { ...init, signal: attempt.signal });
    },
    end: () => {
      ending.abort();
      ending = new AbortController();
    },
  };
}
