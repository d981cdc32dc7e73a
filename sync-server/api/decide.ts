import { createHash } from 'node:crypto';
import { Rejection, type RejectionCode } from '../../shared/mutations/rejection.ts';
import { forbidden } from '../http/http-problem.ts';
import { ProfileMissing } from '../sync/read-actor.ts';
import type { SyncParts } from '../sync/sync-parts.ts';
import { decideRequest, type WriteRequest } from '../sync/decide-request.ts';

/**
 * Has a request's mutations decided, all or none, with the validation and authorisation of the exchange.
 *
 * @throws Rejection; HttpProblem 403 `profile-missing`; whatever the database says.
 */
export type Decide = (userId: string, request: WriteRequest) => Promise<void>;

/** REST entry point to the mutations of the exchange (SPEC S1, S2). */
export function createDecide(parts: SyncParts): Decide {
  return async (userId, request) => {
    const outcome = await decideRequest(parts, userId, request).catch((error: unknown) => {
      throw error instanceof ProfileMissing ? forbidden('Complete your profile first.', 'profile-missing') : error;
    });
    if (outcome.status === 'applied') return;
    throw new Rejection(
      (outcome.code ?? 'invalid') as RejectionCode,
      outcome.message ?? 'This was not accepted.',
      outcome.fields,
    );
  };
}

/** An id that follows from a text: the same request names the same rows every time it comes. */
export function derivedId(...from: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(from)).digest();
  digest[6] = 0x80 | (digest[6]! & 0x0f);
  digest[8] = 0x80 | (digest[8]! & 0x3f);
  const hex = digest.toString('hex').slice(0, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
