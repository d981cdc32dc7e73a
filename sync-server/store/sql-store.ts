import type { Database, Sql } from '../db/database.ts';
import { noticeLater, noticeRestore } from '../db/notice-restore.ts';
import { syncChannel } from '../db/sync-triggers.ts';
import { recordMade } from '../effects/record-effects.ts';
import type { FindFiles } from '../ports/known-files.ts';
import { sqlChanges } from './sql-changes.ts';
import { sqlCollections } from './sql-collections.ts';
import { sqlOutcomes } from './sql-outcomes.ts';
import { sqlRows } from './sql-rows.ts';
import { sqlSegments } from './sql-segments.ts';
import { visibleRows } from './sql-visibility.ts';
import type { SyncStore, SyncTx } from './sync-store.ts';

/**
 * The calls of a transaction over a connection of the caller's. `findFiles` is left out where storage cannot be asked:
 * files are then checked by their path alone.
 */
export function sqlTx(sql: Sql, findFiles?: FindFiles): SyncTx {
  return {
    ...sqlRows(sql),
    ...sqlOutcomes(sql),
    ...sqlChanges(sql),
    ...sqlCollections(sql),
    ...sqlSegments(sql),
    visibleRows: (table, ids, userId) => visibleRows(sql, table, ids, userId),
    findFiles: async (refs) => findFiles?.(sql, refs),
    recordMade: (name, userId, at, ids) => recordMade(sql, name, { userId, at, ids }),
  };
}

/**
 * The store in PostgreSQL, native or embedded: the triggers of db/sync-triggers.ts draw the versions and record the
 * changes.
 */
export function createSqlStore(database: Database, findFiles?: FindFiles): SyncStore {
  return {
    write: (work) => database.transaction((sql) => work(sqlTx(sql, findFiles))),
    snapshot: (work) => database.transaction((sql) => work(sqlTx(sql, findFiles)), { mode: 'snapshot' }),
    single: sqlTx(database.sql, findFiles),
    listen: (onCommit) => database.listen(syncChannel, onCommit),
    hearing: () => database.listenState(),
    noticeRestore: (log, seen) => noticeRestore(database, log, seen),
    noticeLater: (log, later, timeline) => noticeLater(database, log, later, timeline),
    noticeTimeline: (seen) => database.fence?.check(seen),
  };
}
