import { sql as rawSql, type Expression } from 'kysely';

/** A count as a number: the driver hands out 64 bits as text. */
export const wholeNumber = (count: Expression<unknown>) => rawSql<number>`${count}::int`;
