import { Rejection } from '../../shared/mutations/rejection.ts';
import type { TableTx, Tx } from '../../shared/mutations/tx.ts';
import { privateTableNames, privateTables, type PrivateTableName } from '../../shared/tables/index.ts';
import type { LooseRow } from './fake-visibility.ts';

type LooseTable = TableTx<LooseRow>;

/**
 * The server alone has the whole list of towns and trades, so it alone rejects one that is not on it, as `sync-server/sync/staged-table.ts`
 * does. A test that has set no list names what it likes.
 */
export function rejectUnlisted(tx: Tx, list: readonly LooseRow[]): Tx {
  if (list.length === 0) return tx;
  const known = new Set(list.map(({ kind, id }) => `${String(kind)}:${id}`));
  const guarded = (name: PrivateTableName, table: LooseTable): LooseTable => {
    const mustBeListed = (columns: Readonly<Record<string, unknown>>) => {
      const fields: Record<string, string> = {};
      for (const [column, kind] of Object.entries(privateTables[name].references)) {
        const named = [columns[column] ?? []].flat() as string[];
        if (named.some((id) => !known.has(`${kind}:${id}`))) fields[column] = `Choose a ${kind} from the list.`;
      }
      if (Object.keys(fields).length > 0) throw new Rejection('invalid', Object.values(fields).join(' '), fields);
    };
    return {
      ...table,
      insert: async (row) => {
        mustBeListed(row);
        await table.insert(row);
      },
      update: async (id, changes) => {
        mustBeListed(changes);
        await table.update(id, changes);
      },
    };
  };
  return Object.fromEntries(
    privateTableNames.map((name) => [name, guarded(name, tx[name] as unknown as LooseTable)]),
  ) as unknown as Tx;
}
