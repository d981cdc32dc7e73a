import type { JWK } from 'jose';
import type { ColumnType, Generated, Kysely, Selectable } from 'kysely';
import type { Sql } from '../db/database.ts';

/** jsonb: read as a value, written as text. */
type Json<T> = ColumnType<T, string, string>;

interface UserTable {
  id: string;
  /** As `normalAddress` writes it. */
  email: string;
  /** Null while none was chosen: the address was signed up with more than one, and none of those counts. */
  password_hash: string | null;
  /** Written by the person themselves: never a source of rights. */
  user_metadata: Json<Record<string, unknown>>;
  identity_id: string;
  /** An account is there once its address is confirmed. */
  email_confirmed_at: Date | null;
  confirmation_sent_at: Date | null;
  recovery_sent_at: Date | null;
  last_sign_in_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export type UserRow = Selectable<UserTable>;

export interface SessionRow {
  id: string;
  user_id: string;
  /** Key of the refresh tokens of this session alone. */
  refresh_secret: string;
  refresh_count: number;
  method: 'password' | 'otp';
  created_at: Date;
  refreshed_at: Date;
  /** When the session was first put to use after it was handed out. */
  used_at: Date | null;
  /** In minutes: more frequent use is not recorded each time. */
  last_used_at: Date;
  /** Browser and system in words; '' where the browser did not say. */
  device: string;
}

/** A person who gave an address and a password; the account exists once the mailed link is opened. */
interface SignUpTable {
  token_hash: string;
  otp_hash: string;
  email: string;
  /** Null where another password was submitted for the address as well: then none of them counts. */
  password_hash: string | null;
  user_metadata: Json<Record<string, unknown>>;
  created_at: Date;
  expires_at: Date;
  opened_by: string | null;
  session_id: string | null;
}

export type SignUpRow = Selectable<SignUpTable>;

export interface OneTimeTokenRow {
  token_hash: string;
  otp_hash: string;
  user_id: string;
  type: 'recovery' | 'reauthentication';
  expires_at: Date;
  opened_by: string | null;
  session_id: string | null;
}

export interface ObjectRow {
  id: string;
  bucket_id: string;
  name: string;
  /** What an earlier version called it. */
  former_name: string | null;
  owner_id: string | null;
  /** Names the file on disk; every overwrite has its own. */
  version: string;
  size: number;
  mime_type: string;
  cache_control: string;
  /** md5 of the bytes, hex, as S3 and the hosted service have it. */
  md5: string;
  created_at: Date;
  updated_at: Date;
}

interface MailTable {
  id: Generated<string>;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  links: Json<string[]>;
  at: Date;
}

interface EmbeddedTables {
  signing_keys: { kid: string; private_jwk: Json<JWK>; created_at: Date };
  users: UserTable;
  sessions: SessionRow;
  sign_ups: SignUpTable;
  one_time_tokens: OneTimeTokenRow;
  rate_limits: { key: string; full_at: Date };
  mails: MailTable;
  objects: ObjectRow;
}

export type EmbeddedSql = Kysely<EmbeddedTables>;

/** The tables of the embedded services, in their own SQL schema so that hosted mode can drop it whole. */
export function embedded(sql: Sql): EmbeddedSql {
  return (sql as EmbeddedSql).withSchema('embedded');
}
