import type { SingleCalls } from '../store/sync-store.ts';
import type { SyncLog } from '../sync/sync-parts.ts';

type ReadSegment = SingleCalls['readSegment'];

/**
 * Reads segments from a replica; those it does not have, or cannot return, from the primary.
 *
 * Why replication lag cannot break the sync rules here, and could anywhere else. A segment is named by the SHA-256 of
 * its text and never changes (P9): a replica that has it has the right one, however far it lags; one that does not have
 * it yet is passed over. A manifest, a delta, a head version and a right to read depend on the time of reading (S3,
 * S8): from a replica they could be older than an acknowledgement that the device holds already, so they are read from
 * the primary alone.
 */
export function readFromReplica(replica: ReadSegment, primary: ReadSegment, log: SyncLog): ReadSegment {
  return async (collection, hash) => {
    const there = await replica(collection, hash).catch((error: unknown) => {
      log.warn({ err: error }, 'the replica does not answer; reading from the primary');
      return undefined;
    });
    return there ?? primary(collection, hash);
  };
}
