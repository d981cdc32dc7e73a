import { createHash } from 'node:crypto';
import type { Sql } from '../db/database.ts';

/** A public answer, ready to be sent. */
export interface PublicAnswer {
  text: string;
  etag: string;
}

/** The answer kept under `key`, or what `make` makes of the database. */
type PublicAnswers = (key: string, make: () => Promise<unknown>) => Promise<PublicAnswer>;

/** Milliseconds an answer is kept at most, whatever the database says (S10). */
export const maxCacheAgeMs = 30_000;
/** A key contains the client's address, and those can be made up: the least recently used entry is evicted first. */
const maxKept = 16;

/**
 * Caches the public lists as ready bytes: reading, checking and serialising thousands of rows cost a hundred
 * milliseconds, also for an answer of 304. Each request reads the collections' positions from the database, so a cached
 * list is never older than that read; concurrent requests cause one read.
 */
export function createPublicAnswers({ sql, clock }: { sql: Sql; clock: () => Date }): PublicAnswers {
  interface Kept {
    position: string;
    at: number;
    answer: Promise<PublicAnswer>;
  }
  const kept = new Map<string, Kept>();

  return async (key, make) => {
    const position = await readPosition(sql);
    const now = clock().getTime();
    const known = kept.get(key);
    kept.delete(key);
    if (known !== undefined && known.position === position && now >= known.at && now - known.at <= maxCacheAgeMs) {
      kept.set(key, known);
      return known.answer;
    }
    const answer = make().then(pack);
    const fresh = { position, at: now, answer };
    kept.set(key, fresh);
    answer.catch(() => kept.get(key) === fresh && kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return answer;
  };
}

function pack(answer: unknown): PublicAnswer {
  const text = JSON.stringify(answer);
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

/** Which database, and the commit versions at which what the public lists show last changed. */
async function readPosition(sql: Sql): Promise<string> {
  const found = await sql
    .selectFrom('sync_meta')
    .select(({ selectFrom }) => {
      const newest = (shelf: string) =>
        selectFrom('sync_change')
          .select(({ fn }) => fn.max('shelf_version').as('newest'))
          .where('shelf', '=', shelf);
      return ['lineage', newest('directory').as('directory'), newest('reference').as('reference')];
    })
    .executeTakeFirst();
  return found === undefined ? '' : [found.lineage, found.directory, found.reference].join(':');
}
