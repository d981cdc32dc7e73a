import { day, second } from '../../shared/lib/durations.ts';
import { collections, type CollectionName } from '../../shared/tables/collections.ts';

export type SegmentEncoding = 'br' | 'gzip' | 'identity';

const year = (365 * day) / second;

/** A segment's headers besides its length. It is immutable and the same for every client. */
export function segmentHeaders(
  collection: CollectionName,
  hash: string,
  encoding: SegmentEncoding,
): Record<string, string> & { ETag: string } {
  const isPublic = collections[collection].readers === 'public';
  return {
    'Cache-Control': `${isPublic ? 'public' : 'private'}, max-age=${year}, immutable`,
    // On a shared browser the next person must not get the feed out of its cache.
    Vary: isPublic ? 'Accept-Encoding' : 'Accept-Encoding, Authorization',
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    // A strong ETag names bytes, and each encoding has its own.
    ETag: encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`,
    'Content-Type': 'application/json; charset=utf-8',
  };
}
