import type * as z from 'zod/mini';
import { interests } from './interests.ts';
import { jobs } from './jobs.ts';
import { marks } from './marks.ts';
import { preferences } from './preferences.ts';
import { reference } from './reference.ts';
import { searches } from './searches.ts';
import { tradies } from './tradies.ts';
import { users } from './users.ts';

/** The private tables: few rows, one's own, written by mutations, one record a row on the device. */
export const privateTables = { users, tradies, jobs, interests, marks, searches, preferences } as const;

export const tables = { ...privateTables, reference } as const;

export type PrivateTableName = keyof typeof privateTables;
export type TableName = keyof typeof tables;
export type RowOf<Name extends TableName> = z.output<(typeof tables)[Name]['row']>;

export const privateTableNames = Object.keys(privateTables) as PrivateTableName[];

export type User = RowOf<'users'>;
export type Tradie = RowOf<'tradies'>;
export type Job = RowOf<'jobs'>;
export type Interest = RowOf<'interests'>;
export type Mark = RowOf<'marks'>;
export type Search = RowOf<'searches'>;
export type Preferences = RowOf<'preferences'>;
export type Reference = RowOf<'reference'>;
