import type { JWTPayload } from 'jose';
import { minute } from '../../shared/lib/durations.ts';

/** Milliseconds for which a verified signature is cached: a withdrawn key is invalid after that. */
const maxAgeMs = minute;
/** Tokens cached at most; the oldest is evicted first. */
const max = 10_000;

interface Remembered {
  payload: JWTPayload;
  until: number;
}

/**
 * Checking a signature costs more than everything else an idle exchange does, and a device sends the same token for an
 * hour. Only valid tokens are cached, by the whole token, and never past their expiry; the caller checks each time
 * whether the session is still there.
 */
export function createPayloadCache(
  check: (token: string) => Promise<JWTPayload>,
  clock: () => Date,
): (token: string) => Promise<JWTPayload> {
  const known = new Map<string, Remembered>();
  return async (token) => {
    const now = clock().getTime();
    const found = known.get(token);
    if (found !== undefined && now < found.until && now >= found.until - maxAgeMs) return found.payload;
    known.delete(token);
    const payload = await check(token);
    known.set(token, { payload, until: Math.min(now + maxAgeMs, (payload.exp ?? 0) * 1_000) });
    const [oldest] = known.keys();
    if (known.size > max && oldest !== undefined) known.delete(oldest);
    return payload;
  };
}
