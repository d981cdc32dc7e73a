/**
 * How long, in ms, a test in a browser waits for what must come. Long, because a slow and busy machine is no failure;
 * what comes soon is not waited for longer.
 */
export const timeoutMs = 60_000;
