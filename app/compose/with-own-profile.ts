import type { PersonDb } from '../db/person-db.ts';
import type { Transport } from '../sync/ports.ts';

interface OwnProfilePorts {
  db: PersonDb;
  userId: string;
  fetch: typeof fetch;
  token(): Promise<string | undefined>;
  log(event: string, detail: string): void;
}

/**
 * A server that does not know this person's profile has lost it by a restore where the device has it: it is made again
 * from what is here, by the call that made it the first time, and the exchange is asked once more. Without one the
 * person has yet to complete it.
 */
export function withOwnProfile(transport: Transport, { db, userId, fetch, token, log }: OwnProfilePorts): Transport {
  async function bringBack(signal: AbortSignal): Promise<boolean> {
    try {
      const own = await db.users.get(userId);
      const bearer = await token();
      if (own === undefined || bearer === undefined) return false;
      const { email, firstName, lastName } = own;
      const response = await fetch('/api/users', {
        method: 'POST',
        headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, firstName, lastName }),
        signal,
        cache: 'no-store',
        credentials: 'omit',
      });
      log('profile-restored', String(response.status));
      return response.ok;
    } catch (error) {
      log('profile-restored', error instanceof Error ? error.name : 'unknown');
      return false;
    }
  }

  return async (request, signal) => {
    const result = await transport(request, signal);
    const isMissing = !result.ok && result.failure.kind === 'profile-missing';
    return isMissing && (await bringBack(signal)) ? transport(request, signal) : result;
  };
}
