import type { InferKyselyDB, SnakeCase } from '@mikro-orm/postgresql';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { RowOf, TableName } from '../../shared/tables/index.ts';
import type { entities } from './entities/index.ts';
import type { Jsonb } from './entities/json.ts';

/*
 * The tables as the query builder sees them, made from the entities: where a column is renamed there, its queries do
 * not compile.
 */

type Inferred = InferKyselyDB<(typeof entities)[keyof typeof entities]>;

/** What is read from a column, and what may be written to it. */
type Column<Value> = [Value] extends [Generated<infer Plain>]
  ? Generated<Plain>
  : keyof Jsonb extends keyof NonNullable<Value>
    ? ColumnType<Value, string | Extract<Value, null>, string | Extract<Value, null>>
    : Value;

declare const writtenBySync: unique symbol;
/** No value: rows of synced tables are written by `write-rows.ts`, with validation and a version. */
interface WrittenBySync {
  readonly [writtenBySync]: never;
}

type ReadOnly<Columns> = {
  [Name in keyof Columns]: ColumnType<Columns[Name], WrittenBySync, WrittenBySync>;
};

/** Every table, its synced ones to be written as well: `write-rows.ts` alone uses it. */
export type WritableSchema = {
  [Table in keyof Inferred]: { [Name in keyof Inferred[Table]]: Column<Inferred[Table][Name]> };
};

export type Schema = {
  [Table in keyof Inferred]: Table extends TableName ? ReadOnly<Inferred[Table]> : WritableSchema[Table];
};

/** Columns that are null only in another person's copy: the database always has them. */
type AlwaysThere = 'userId' | 'ownerId';
type Decimal = 'budgetMin' | 'budgetMax';
/**
 * A shared row travels with ISO strings where the database has an instant, and with numbers where it has an exact
 * decimal.
 */
type Stored<Name, Value> = Name extends `${string}At` | `${string}Until`
  ? Date | Extract<Value, null>
  : Name extends AlwaysThere
    ? NonNullable<Value>
    : Name extends Decimal
      ? string | Extract<Value, null>
      : Value;
type StoredRow<Table extends TableName> = {
  [Name in keyof RowOf<Table> & string as SnakeCase<Name>]: Stored<Name, RowOf<Table>[Name]>;
};
type Same<One, Other> = [One, Other] extends [Other, One] ? true : { database: Other; shared: One };

/**
 * Does not compile where an entity and its shared row differ; the message shows both.
 *
 * @public The compiler reads it.
 */
export const entitiesFitRows: { [Table in TableName]: Same<StoredRow<Table>, Selectable<Schema[Table]>> } = {
  users: true,
  tradies: true,
  jobs: true,
  interests: true,
  marks: true,
  searches: true,
  preferences: true,
  reference: true,
};
