import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  `create schema if not exists embedded`,
  `create table embedded.signing_keys (
     kid text primary key,
     private_jwk jsonb not null,
     created_at timestamptz not null
   )`,
  `create table embedded.users (
     id uuid primary key,
     email text not null unique check (email = lower(email)),
     password_hash text not null,
     user_metadata jsonb not null,
     identity_id uuid not null,
     email_confirmed_at timestamptz,
     confirmation_sent_at timestamptz,
     recovery_sent_at timestamptz,
     last_sign_in_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null
   )`,
  `create table embedded.sessions (
     id uuid primary key,
     user_id uuid not null references embedded.users (id) on delete cascade,
     refresh_secret text not null,
     refresh_count integer not null,
     method text not null check (method in ('password', 'otp')),
     created_at timestamptz not null,
     refreshed_at timestamptz not null,
     used_at timestamptz
   )`,
  `create index sessions_user_id on embedded.sessions (user_id)`,
  `create table embedded.one_time_tokens (
     token_hash text primary key,
     otp_hash text not null,
     user_id uuid not null references embedded.users (id) on delete cascade,
     type text not null check (type in ('signup', 'recovery')),
     wrong_tries integer not null,
     expires_at timestamptz not null,
     opened_by text,
     session_id uuid,
     unique (user_id, type)
   )`,
  `create table embedded.rate_limits (key text primary key, full_at timestamptz not null)`,
  `create index rate_limits_full_at on embedded.rate_limits (full_at)`,
  `create table embedded.mails (
     id bigint generated always as identity primary key,
     recipient text not null,
     subject text not null,
     text text not null,
     html text not null,
     links jsonb not null,
     at timestamptz not null
   )`,
  `create table embedded.objects (
     id uuid primary key,
     bucket_id text not null,
     name text collate "C" not null,
     owner_id uuid,
     version uuid not null unique,
     size integer not null,
     mime_type text not null,
     cache_control text not null,
     md5 text not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     unique (bucket_id, name)
   )`,
  `create index objects_owner_id on embedded.objects (owner_id)`,
];

/** The tables of the embedded auth, storage and mailbox, in a SQL schema of their own. */
export class EmbeddedTables extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
