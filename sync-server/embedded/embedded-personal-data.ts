import type { Database } from '../db/database.ts';
import { embedded } from './embedded-tables.ts';

/** The personal data in the embedded services; a person's secrets (hashes, keys) are named, not included. */
export async function embeddedPersonalData(
  { sql }: Database,
  { id, email }: { id: string; email: string },
): Promise<Record<string, unknown>> {
  const tables = embedded(sql);
  const [account, sessions, files, mails] = await Promise.all([
    tables.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),
    tables
      .selectFrom('sessions')
      .select(['id', 'device', 'method', 'created_at', 'refreshed_at', 'used_at', 'last_used_at'])
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute(),
    tables
      .selectFrom('objects')
      .select(['bucket_id', 'name', 'size', 'mime_type', 'created_at', 'updated_at'])
      .where('owner_id', '=', id)
      .orderBy('name')
      .execute(),
    tables
      .selectFrom('mails')
      .select(['recipient', 'subject', 'at'])
      .where('recipient', '=', email)
      .orderBy('id')
      .execute(),
  ]);
  return {
    account: account && {
      ...account,
      password_hash: account.password_hash === null ? 'none' : 'a hash is kept, not the password',
    },
    sessions,
    files,
    mails,
  };
}
