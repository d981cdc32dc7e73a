import type { JWTPayload } from 'jose';

/** Milliseconds for which a checked signature is believed: a key that is withdrawn stops counting within it. */
const believed = 60_000;
/** Tokens remembered at most; the oldest goes first. */
const max = 10_000;

interface Remembered { payload: JWTPayload; until: number }

/**
 * Checking a signature costs more than everything else an idle exchange does, and a device sends the same token for an hour.
 * Only what was found valid is remembered, by the whole token, and never past its expiry; whether its session is still there is
 * asked by the caller each time.
 */
export function rememberPayloads(check: (token: string) => Promise<JWTPayload>, clock: () => Date): (token: string) => Promise<JWTPayload> {
  const known = new Map<string, Remembered>();
  return async (token) => {
    const now = clock().getTime();
    const found = known.get(token);
    if (found !== undefined && now < found.until && now >= found.until - believed) return found.payload;
    known.delete(token);
    const payload = await check(token);
    known.set(token, { payload, until: Math.min(now + believed, (payload.exp ?? 0) * 1_000) });
    const [oldest] = known.keys();
    if (known.size > max && oldest !== undefined) known.delete(oldest);
    return payload;
  };
}
