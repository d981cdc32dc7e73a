import { day, second } from '../../shared/lib/durations.ts';
import { segmentCount } from '../../shared/protocol/segment.ts';
import { collections, type CollectionName } from '../../shared/tables/collections.ts';

/** As many as a device asks for at once. */
const maxAtOnce = 16;

/** The name of a segment, or of several in order, in an address. */
export const segmentNames = `[0-9a-f]{64}(?:,[0-9a-f]{64}){0,${maxAtOnce - 1}}`;

export type SegmentEncoding = 'br' | 'gzip' | 'identity';

const year = (365 * day) / second;

/** A segment's headers besides its length. It is immutable and the same for every client. */
export function segmentHeaders(
  collection: CollectionName,
  hash: string,
  encoding: SegmentEncoding,
): Record<string, string> & { ETag: string } {
  return {
    ...keptHeaders(collection, encoding),
    // A strong ETag names bytes, and each encoding has its own.
    ETag: encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`,
  };
}

/** The headers of so many segments in one answer, zstd. */
export const framesHeaders = (collection: CollectionName, count: number): Record<string, string> => ({
  ...keptHeaders(collection, 'zstd'),
  [segmentCount]: String(count),
});

/** Over the others, where an answer has only the first of the segments that were asked for: later it may have more. */
export const partHeaders: Readonly<Record<string, string>> = { 'Cache-Control': 'no-store' };

function keptHeaders(collection: CollectionName, encoding: SegmentEncoding | 'zstd'): Record<string, string> {
  const isPublic = collections[collection].readers === 'public';
  return {
    'Cache-Control': `${isPublic ? 'public' : 'private'}, max-age=${year}, immutable`,
    // On a shared browser the next person must not get the feed out of its cache.
    Vary: isPublic ? 'Accept-Encoding' : 'Accept-Encoding, Authorization',
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    'Content-Type': 'application/json; charset=utf-8',
  };
}
