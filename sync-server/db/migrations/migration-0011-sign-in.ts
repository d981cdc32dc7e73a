import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  // A sign-up is no account before its mailed link was opened: its password and its metadata wait here, with that link
  // alone.
  `create table embedded.sign_ups (
     token_hash text primary key,
     otp_hash text not null,
     email text not null,
     password_hash text not null,
     user_metadata jsonb not null,
     created_at timestamptz not null,
     expires_at timestamptz not null,
     opened_by text,
     session_id uuid
   )`,
  `create index sign_ups_email on embedded.sign_ups (email)`,
  `create index sign_ups_expires_at on embedded.sign_ups (expires_at)`,
  // Links in the post go on working. Their codes do not: a code was sealed with the id of an account that is none any
  // more.
  `insert into embedded.sign_ups (token_hash, otp_hash, email, password_hash, user_metadata, created_at, expires_at)
   select t.token_hash, t.otp_hash, u.email, u.password_hash,
     case when octet_length(u.user_metadata::text) > 1024 then '{}'::jsonb else u.user_metadata end,
     t.expires_at - interval '24 hours', t.expires_at
   from embedded.one_time_tokens t join embedded.users u on u.id = t.user_id
   where t.type = 'signup' and t.opened_by is null and u.email_confirmed_at is null`,
  `delete from embedded.one_time_tokens where type = 'signup'`,
  `delete from embedded.users where email_confirmed_at is null`,
  // What a stranger once wrote there made the owner's token longer than any server takes.
  `update embedded.users set user_metadata = '{}' where octet_length(user_metadata::text) > 1024`,
  // A mail that another person asked for does not void the one before it, and wrong codes are counted by the limits.
  `alter table embedded.one_time_tokens drop constraint one_time_tokens_user_id_type_key`,
  `alter table embedded.one_time_tokens drop constraint one_time_tokens_type_check`,
  `alter table embedded.one_time_tokens add constraint one_time_tokens_type_check check (type in ('recovery', 'reauthentication'))`,
  `alter table embedded.one_time_tokens drop column wrong_tries`,
  `create index one_time_tokens_user_id on embedded.one_time_tokens (user_id)`,
  `create index one_time_tokens_expires_at on embedded.one_time_tokens (expires_at)`,
  // So that a person can tell their devices apart, and sessions end.
  `alter table embedded.sessions add column device text not null default ''`,
  `alter table embedded.sessions add column last_used_at timestamptz`,
  `update embedded.sessions set last_used_at = refreshed_at`,
  `alter table embedded.sessions alter column last_used_at set not null`,
  `create index sessions_last_used_at on embedded.sessions (last_used_at)`,
];

/** Sign-ups apart from accounts, sessions that a person can recognise and that end. */
export class SignIn extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
