import type { KnownFiles } from '../../shared/mutations/own-file.ts';
import { filesOf } from '../../shared/mutations/run-mutation.ts';
import type { Sql } from '../db/database.ts';

/** Asks storage about files, each named by its bucket and path. Files about which storage cannot answer are left out. */
export type FindFiles = (sql: Sql, refs: readonly string[]) => Promise<KnownFiles>;

/** What storage says of the files that these mutations name; undefined where it cannot be asked, or need not be. */
export async function knownFiles(
  find: FindFiles | undefined,
  sql: Sql,
  mutations: readonly { name: string; args: unknown }[],
): Promise<KnownFiles | undefined> {
  const refs = [...new Set(mutations.flatMap(({ name, args }) => filesOf(name, args)))];
  return find === undefined || refs.length === 0 ? undefined : find(sql, refs);
}
