import { privateTableNames, type PrivateTableName } from '../../shared/tables/index.ts';
import { decide } from '../model/decide.ts';
import { emptyState, type State } from '../model/state.ts';
import type { Row } from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { ClientGroup } from './client-group.ts';
import { asText, withServerRows, type DiskSnapshot } from './disk-snapshot.ts';
import { must } from './violation.ts';

const rowsOf = (state: State, table: PrivateTableName) => state[table] as unknown as Map<string, Row>;

/**
 * An edit that had been applied before a restore, and whose predecessor has not come back, is shown on what is there
 * (C16).
 */
function builtOnWhatIsThere(state: State, args: unknown): unknown {
  const { id } = args as { id: string };
  const table = privateTableNames.find((one) => rowsOf(state, one).has(id));
  return { ...(args as object), base: table === undefined ? {} : rowsOf(state, table).get(id) };
}

/** I5: the tables equal the server rows with every pending mutation replayed in order, computed anew by the model. */
export function i5Replay(group: ClientGroup, now: DiskSnapshot): void {
  if (now.outbox.length === 0 && now.shadow.length === 0) return;
  const state = emptyState();
  const serverRows = withServerRows(now);
  for (const table of privateTableNames)
    for (const row of serverRows[table]) rowsOf(state, table).set(String(row['id']), row);
  for (const { name, args, at, base, from } of now.outbox) {
    const lent = base.filter(({ table, row }) => !rowsOf(state, table).has(String((row as Row)['id'])));
    for (const { table, row } of lent) rowsOf(state, table).set(String((row as Row)['id']), row as Row);
    const run = (these: unknown) => decide(state, { by: group.userId, name, args: these, at, isOnDevice: true });
    const first = run(args);
    const verdict = first === 'stale' && from?.version !== undefined ? run(builtOnWhatIsThere(state, args)) : first;
    // A row of a shared collection that was only read stays there; where the mutation was rejected, it was not even
    // lent.
    const isBack = ({ table, row }: (typeof lent)[number]) =>
      verdict !== 'applied' || rowsOf(state, table).get(String((row as Row)['id'])) === row;
    for (const each of lent) if (isBack(each)) rowsOf(state, each.table).delete(String((each.row as Row)['id']));
  }
  for (const table of privateTableNames) {
    const expected = new Map(Array.from(rowsOf(state, table), ([id, row]) => [id, asText(row)]));
    for (const row of now.privateRows[table]) {
      const id = String(row['id']);
      const wanted = expected.get(id);
      expected.delete(id);
      must(
        wanted === asText(row),
        'I5',
        group.key,
        () => `${table} ${id} is ${JSON.stringify(row)}, replayed it is ${wanted ?? 'not there'}`,
      );
    }
    must(expected.size === 0, 'I5', group.key, () => `${table} lacks ${[...expected.keys()].join()}`);
  }
}
