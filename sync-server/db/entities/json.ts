import { p } from '@mikro-orm/core';

declare const jsonb: unique symbol;

/** Marks the value of a `jsonb` column: the driver hands it out parsed, and takes it as text (`schema.ts`). */
export type Jsonb = { readonly [jsonb]?: never };

/** A `jsonb` column. */
export const json = <T>() => p.json<(NonNullable<T> & Jsonb) | Extract<T, null>>();
