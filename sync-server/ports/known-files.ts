import type { KnownFiles } from '../../shared/mutations/own-file.ts';
import type { Sql } from '../db/database.ts';

/**
 * Asks storage about files, each named by its bucket and path. Files about which storage cannot answer are left out.
 */
export type FindFiles = (sql: Sql, refs: readonly string[]) => Promise<KnownFiles>;
