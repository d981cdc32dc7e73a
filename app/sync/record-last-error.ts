import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';
import type { Exchanged } from './exchange.ts';
import type { TransportFailure } from './ports.ts';

/**
 * Writes on the mutations that were sent why they came back undecided, where something answered: what "Couldn't send:
 * see why" shows. The next attempt clears it. Nothing is written for want of signal, nor by a tab that no longer leads.
 */
export async function recordLastError(db: PersonDb, epoch: number, exchanged: Exchanged): Promise<void> {
  if (exchanged.kind !== 'failed' && exchanged.kind !== 'taken') return;
  const { sentUids } = exchanged;
  const lastError = exchanged.kind === 'failed' ? wordsOf(exchanged.failure) : undecided(exchanged.stoppedMs);
  if (lastError === undefined || sentUids.length === 0) return;
  await withConnection(db, () =>
    db.transaction('rw', ['outbox', 'meta'], async () => {
      const leader = await db.meta.get('leader');
      if ((leader?.value as { epoch: number } | undefined)?.epoch !== epoch) return;
      await db.outbox.where('uid').anyOf(sentUids).modify({ lastError });
    }),
  );
}

const undecided = (stoppedMs: number | undefined) =>
  stoppedMs === undefined
    ? 'Dwang’s server has not decided this yet.'
    : 'Dwang’s server had to stop before it came to this.';

/** Undefined for want of signal, and for what has a banner of its own: signing in, onboarding, a newer version. */
function wordsOf(failure: TransportFailure): string | undefined {
  switch (failure.kind) {
    case 'network':
      return failure.heard
        ? 'Something else answered in place of Dwang’s server, perhaps the sign-in page of this Wi-Fi.'
        : undefined;
    case 'busy':
      return 'Dwang’s server is busy just now.';
    case 'too-large':
      return 'This is too big for Dwang’s server.';
    case 'server':
      return failure.status >= 500
        ? 'Dwang’s server is not well just now.'
        : 'Dwang’s server could not read this. A newer version of the app may help.';
    case 'unauthorized':
    case 'other-person':
    case 'profile-missing':
    case 'too-old':
      return undefined;
  }
}
