import { sql as rawSql, type RawBuilder } from 'kysely';

/**
 * Is the column one of these ids? One id is compared by itself: for a list PostgreSQL assumes ten, finds the plan that
 * it keeps dearer than a new one, and plans the statement at every call.
 */
export function amongIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  const [only] = ids;
  return ids.length === 1
    ? rawSql<boolean>`${rawSql.ref(column)} = ${only}::uuid`
    : rawSql<boolean>`${rawSql.ref(column)} = any(${[...ids]}::uuid[])`;
}
