import { sql as rawSql } from 'kysely';
import webPush from 'web-push';
import { advisoryLocks } from '../db/advisory-locks.ts';
import type { Database } from '../db/database.ts';
import type { Config } from '../lib/config.ts';

/** This server's key at the push services (RFC 8292), both halves as base64url, and whom they may write to about it. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
  /** `mailto:` or `https:`. */
  subject: string;
}

interface KeyParts {
  config: Pick<Config, 'vapid' | 'mail' | 'publicUrl' | 'embeddedAllowed'>;
  database: Database;
  clock: () => Date;
}

/**
 * The keys of the environment; else those made on the first start and kept in the database, because every subscription
 * is bound to the key it was made with. Undefined where nothing is configured and nothing may be made: alerts are then
 * not offered.
 */
export async function ensureVapidKeys({ config, database, clock }: KeyParts): Promise<VapidKeys | undefined> {
  const subject = subjectOf(config);
  if (config.vapid !== undefined) return { ...config.vapid, subject };
  if (!config.embeddedAllowed) return undefined;
  const kept = await database.transaction(async (sql) => {
    // Two servers that start together on an empty database must not each hand out a key of its own.
    await rawSql`select pg_advisory_xact_lock(${advisoryLocks.vapidKey}::bigint)`.execute(sql);
    const found = await sql.selectFrom('vapid_key').select(['public_key', 'private_key']).executeTakeFirst();
    if (found !== undefined) return found;
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    return sql
      .insertInto('vapid_key')
      .values({ public_key: publicKey, private_key: privateKey, created_at: clock() })
      .returning(['public_key', 'private_key'])
      .executeTakeFirstOrThrow();
  });
  return { publicKey: kept.public_key, privateKey: kept.private_key, subject };
}

/** A push service that sees trouble writes here. Apple's takes no address of this machine. */
function subjectOf({ mail, publicUrl }: KeyParts['config']): string {
  // The address is bare, or in angle brackets: `Dwang <hello@dwang.example.nz>`.
  const address = mail?.from.split('<').at(-1)?.split('>')[0]?.trim();
  if (address !== undefined) return `mailto:${address}`;
  return publicUrl?.startsWith('https:') ? publicUrl : 'mailto:nobody@example.org';
}
