import type { Kysely, Selectable } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

/** Their columns: db/entities/embedded.ts. */
type EmbeddedTables = {
  [Table in keyof Schema as Table extends `embedded.${infer Name}` ? Name : never]: Schema[Table];
};

export type UserRow = Selectable<EmbeddedTables['users']>;
export type SessionRow = Selectable<EmbeddedTables['sessions']>;
export type SignUpRow = Selectable<EmbeddedTables['sign_ups']>;
export type OneTimeTokenRow = Selectable<EmbeddedTables['one_time_tokens']>;
export type ObjectRow = Selectable<EmbeddedTables['objects']>;

export type EmbeddedSql = Kysely<EmbeddedTables>;

/** The tables of the embedded services, in their own SQL schema so that hosted mode can drop it whole. */
export function embedded(sql: Sql): EmbeddedSql {
  return (sql as unknown as EmbeddedSql).withSchema('embedded');
}
