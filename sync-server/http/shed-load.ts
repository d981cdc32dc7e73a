import type { Middleware } from 'koa';

/**
 * Calls in the house at once, at most. Ten connections to the database serve them, some milliseconds each, so whoever is let in
 * waits well under the five seconds after which a connection is given up for lost.
 */
export const mostAtOnce = 300;

const isCall = /^\/(api|auth|storage)\//;

/** Counts who is inside. */
export interface Door {
  /** False where too many are inside already; whoever is let in must leave again. */
  enter(): boolean;
  leave(): void;
}

/** A door with nobody inside; `most` may be inside at once. */
export function createDoor(most: number = mostAtOnce): Door {
  let inside = 0;
  return {
    enter: () => inside < most && (inside += 1) > 0,
    leave: () => void (inside -= 1),
  };
}

/**
 * Turns calls away at the door while too many are inside: 503 `overloaded` with Retry-After, before anything of them is read, so
 * nothing that was accepted is ever dropped for it. Health and the app's own files are always answered. A stream that has begun
 * is not inside any more.
 */
export function shedLoad(door: Door = createDoor()): Middleware {
  return async (ctx, next) => {
    if (!isCall.test(ctx.path)) return next();
    if (!door.enter()) {
      // Spread, so that they do not all come back in the same second.
      const seconds = 1 + Math.floor(Math.random() * 5);
      ctx.status = 503;
      ctx.set({ 'Cache-Control': 'no-store', 'Retry-After': String(seconds) });
      ctx.body = { error: 'Too many people at once. Nothing was lost: try again in a moment.', code: 'overloaded' };
      // What is not read must not be waited for.
      ctx.req.resume();
      return undefined;
    }
    try {
      return await next();
    } finally {
      door.leave();
    }
  };
}
