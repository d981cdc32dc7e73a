import * as z from 'zod/mini';
import { collectionColumns, type CollectionName, type CollectionRow } from '../tables/collections.ts';

/*
 * A collection's state at version V is a manifest of immutable segments, plus the changes since V.
 *
 * A segment is text: one JSON object of columns, each an array as long as the segment has rows. It is named by the
 * SHA-256 of that text, so it can be cached anywhere and for ever, and a device downloads only the names it lacks.
 * Segments are cut by stable ranges of (createdAt, id), those of a large collection by region first. A manifest lists
 * them newest first, so that the first one fills the first screen; those of the person's own regions come before the
 * others.
 */

export const segmentRows = 500;

/** How many segments an answer has, where several were asked for: a client may undo the first frame alone. */
export const segmentCount = 'X-Segments';

export const manifestSchema = z.object({
  /** The commit version whose state the segments hold. */
  version: z.string(),
  /** The timeline that the version is of; an older server does not send it. */
  timeline: z.optional(z.string()),
  segments: z.array(
    z.object({
      /** SHA-256 of the segment's text, hex. */
      hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      rows: z.int(),
      /** The bytes of the text, uncompressed. */
      bytes: z.int(),
      /** Lowest and highest range key in it, both included. */
      from: z.string(),
      to: z.string(),
      /** The one region whose rows it holds; without it, rows of any. */
      region: z.optional(z.string()),
    }),
  ),
  /** How many of the segments, from the first, hold the regions that this person works in; without it, unknown. */
  near: z.optional(z.int()),
  /** The regions that it is of, where it is not of all: '' are the rows whose town is not known. */
  regions: z.optional(z.array(z.string())),
  /** How many rows there are in the regions that it is not of. */
  elsewhere: z.optional(z.int()),
});

export type Manifest = z.output<typeof manifestSchema>;
export type SegmentEntry = Manifest['segments'][number];

/** A row's sort key in its collection: by age, then id. */
export function rangeKey(row: { createdAt: string; id: string }): string {
  return `${row.createdAt}|${row.id}`;
}

/**
 * Everything that is not ASCII. One such letter would make a text of half a million twice as big in memory and on the
 * device's disk.
 */
const beyondAscii = /[\u0080-\uffff]/g;
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Rows to a segment's text, all of it ASCII. Columns stand in the collection's own order, so that the same rows always
 * give the same text.
 */
export function packSegment<Name extends CollectionName>(
  collection: Name,
  rows: readonly CollectionRow<Name>[],
): string {
  const columns: Record<string, unknown[]> = {};
  for (const column of collectionColumns(collection)) {
    columns[column] = rows.map((row) => row[column as keyof CollectionRow<Name>]);
  }
  return JSON.stringify(columns).replace(beyondAscii, escaped);
}

/**
 * A segment's text to rows. A column this app does not know is left out; a collection column the text lacks (an older
 * segment) reads as null. Throws where the text is not a segment.
 */
export function unpackSegment<Name extends CollectionName>(collection: Name, text: string): CollectionRow<Name>[] {
  const columns = JSON.parse(text) as Record<string, unknown>;
  const ids = columns['id'];
  if (!Array.isArray(ids)) throw new Error(`Not a segment of ${collection}: it has no ids.`);
  const known = collectionColumns(collection).map((column) => [column, columns[column]] as const);
  for (const [column, values] of known) {
    if (values !== undefined && (!Array.isArray(values) || values.length !== ids.length)) {
      throw new Error(`Not a segment of ${collection}: the column ${column} is not as long as the others.`);
    }
  }
  return ids.map((_id, at) => {
    const row: Record<string, unknown> = {};
    for (const [column, values] of known) row[column] = values === undefined ? null : (values as unknown[])[at];
    return row as CollectionRow<Name>;
  });
}
