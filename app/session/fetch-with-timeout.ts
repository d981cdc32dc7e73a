/** The longest wait for a request that gets no answer. */
export const requestTimeoutMs = 20_000;

/**
 * For requests a person waits for: a connection that accepts everything and answers nothing ends here, also in the
 * middle of an answer. Every failure rejects with words to show; the caller's own abort rejects as it is.
 */
export function fetchWithTimeout(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const own = init?.signal;
    const ending = new AbortController();
    const end = () => ending.abort(own?.reason);
    if (own?.aborted === true) end();
    own?.addEventListener('abort', end, { once: true });
    // Left running while the body is read; once that is over there is nothing to abort.
    setTimeout(end, requestTimeoutMs);
    try {
      return await fetch(input, { ...init, signal: ending.signal });
    } catch (cause) {
      if (own?.aborted === true) throw cause;
      throw new TypeError('The server could not be reached.', { cause });
    }
  };
}
