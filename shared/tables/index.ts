import type * as z from 'zod/mini';
import { interests } from './interests.ts';
import { jobs } from './jobs.ts';
import { reference } from './reference.ts';
import { tradies } from './tradies.ts';
import { users } from './users.ts';

/** The desk: few rows, one's own, written by mutations, one record a row on the device. */
export const deskTables = { users, tradies, jobs, interests } as const;

export const tables = { ...deskTables, reference } as const;

export type DeskTableName = keyof typeof deskTables;
export type TableName = keyof typeof tables;
export type RowOf<Name extends TableName> = z.output<(typeof tables)[Name]['row']>;

export const deskTableNames = Object.keys(deskTables) as DeskTableName[];

export type User = RowOf<'users'>;
export type Tradie = RowOf<'tradies'>;
export type Job = RowOf<'jobs'>;
export type Interest = RowOf<'interests'>;
export type Reference = RowOf<'reference'>;
