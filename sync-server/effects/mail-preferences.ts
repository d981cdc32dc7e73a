import type { Selectable } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

export interface MailPreference {
  userId: string;
  /** Part of the links in this person's mails, and used nowhere else. */
  token: string;
  wantsInterestMails: boolean;
}

const columns = ['user_id', 'token', 'wants_interest_mails'] as const;

const asPreference = ({
  user_id: userId,
  token,
  wants_interest_mails: wantsInterestMails,
}: Pick<Selectable<Schema['mail_preference']>, (typeof columns)[number]>): MailPreference => ({
  userId,
  token,
  wantsInterestMails,
});

/** A person's, made where there is none yet: mails are wanted until the person unsubscribes. */
export async function preferenceOf(sql: Sql, userId: string, now: Date): Promise<MailPreference> {
  const stored = await sql
    .insertInto('mail_preference')
    .values({ user_id: userId, changed_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
    .returning(columns)
    .executeTakeFirstOrThrow();
  return asPreference(stored);
}

export async function findPreference(sql: Sql, token: string): Promise<MailPreference | undefined> {
  const stored = await sql.selectFrom('mail_preference').select(columns).where('token', '=', token).executeTakeFirst();
  return stored && asPreference(stored);
}

export async function setInterestMails(sql: Sql, token: string, wanted: boolean, now: Date): Promise<void> {
  await sql
    .updateTable('mail_preference')
    .set({ wants_interest_mails: wanted, changed_at: now })
    .where('token', '=', token)
    .where('wants_interest_mails', '<>', wanted)
    .execute();
}
