import { sql as rawSql } from 'kysely';
import type { Sql } from '../db/database.ts';

export interface MailPreference {
  /** Part of the links in this person's mails, and used nowhere else. */
  token: string;
  wantsInterestMails: boolean;
}

interface Stored {
  token: string;
  wants_interest_mails: boolean;
}

const asPreference = ({ token, wants_interest_mails: wantsInterestMails }: Stored): MailPreference => ({
  token,
  wantsInterestMails,
});

/** A person's, made where there is none yet: mails are wanted until the person unsubscribes. */
export async function preferenceOf(sql: Sql, userId: string, now: Date): Promise<MailPreference> {
  const { rows } = await rawSql<Stored>`insert into mail_preference (user_id, changed_at) values (${userId}, ${now})
    on conflict (user_id) do update set user_id = excluded.user_id returning token, wants_interest_mails`.execute(sql);
  return asPreference(rows[0]!);
}

export async function findPreference(sql: Sql, token: string): Promise<MailPreference | undefined> {
  const { rows } =
    await rawSql<Stored>`select token, wants_interest_mails from mail_preference where token = ${token}::uuid`.execute(
      sql,
    );
  return rows[0] && asPreference(rows[0]);
}

export async function setInterestMails(sql: Sql, token: string, wanted: boolean, now: Date): Promise<void> {
  await rawSql`update mail_preference set wants_interest_mails = ${wanted}, changed_at = ${now}
    where token = ${token}::uuid and wants_interest_mails <> ${wanted}`.execute(sql);
}
