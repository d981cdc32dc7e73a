import type { User } from '../../../shared/tables/index.ts';
import type { Change, StorePosition, SyncTx } from '../../store/sync-store.ts';
import type { MemoryTx } from './memory-engine.ts';
import type { AccessLine, ChangeLine } from './memory-tables.ts';

type ChangeCalls = Pick<
  SyncTx,
  | 'readHead'
  | 'readPosition'
  | 'changesAfter'
  | 'changesOf'
  | 'toldUntil'
  | 'commitsAfter'
  | 'readTimelines'
  | 'changedAfter'
  | 'isBelowFloor'
  | 'purgeRemovals'
>;

const asChange = ({
  entity,
  entity_id: id,
  version,
  deleted,
}: Pick<ChangeLine, 'entity' | 'entity_id' | 'version' | 'deleted'>): Change => ({
  table: entity as Change['table'],
  id,
  version: String(version),
  isRemoved: deleted,
});

export function positionOf(tx: MemoryTx): StorePosition {
  const meta = tx.get('sync_meta', 'only') as { lineage: string; tombstone_floor: number };
  const head = (tx.all('sync_change') as ChangeLine[]).reduce(
    (most, { version }) => Math.max(most, version),
    meta.tombstone_floor,
  );
  return {
    head: String(head),
    timeline: meta.lineage,
    tombstoneFloor: String(meta.tombstone_floor),
    isMoved: false,
    cookieKey: 'a key',
  };
}

/** The order of commits, and what they changed for whom, in memory. */
export function memoryChanges(tx: MemoryTx): ChangeCalls {
  const meta = () => tx.get('sync_meta', 'only') as { lineage: string; tombstone_floor: number };
  const lines = () => tx.all('sync_change') as ChangeLine[];
  const accesses = () => tx.all('sync_access') as AccessLine[];
  /** A row that changed and that this person began to see meanwhile is one change, by the later of both. */
  const changesFor = (userId: string, isAsked: (version: number) => boolean): Change[] => {
    const mine = new Map<string, Change>();
    const add = (change: Change) => {
      const key = `${change.table}/${change.id}`;
      const [one, other] = [mine.get(key), change];
      const later = one !== undefined && Number(one.version) > Number(other.version) ? one : other;
      mine.set(key, { ...later, isRemoved: one?.isRemoved === true || other.isRemoved });
    };
    for (const line of lines()) if (line.audience.includes(userId) && isAsked(line.version)) add(asChange(line));
    for (const line of accesses())
      if (line.person === userId && isAsked(line.version)) add(asChange({ ...line, deleted: false }));
    return [...mine.values()].toSorted((one, other) => Number(one.version) - Number(other.version));
  };

  /** Is it in the collection's snapshot, or in no collection? */
  function isBuilt({ shelf: collection, shelf_version: version }: ChangeLine): boolean {
    const manifest = collection === null ? undefined : tx.get('shelf_manifest', collection);
    return manifest === undefined || !(Number(manifest['version']) < (version ?? 0));
  }

  return {
    readHead: async () => positionOf(tx).head,
    readPosition: async (userId) => {
      const person = tx.get('users', userId) as User | undefined;
      return person === undefined ? undefined : { person, position: positionOf(tx) };
    },
    changesAfter: async (userId, version, limit) => changesFor(userId, (at) => at > Number(version)).slice(0, limit),
    changesOf: async (userId, version) => changesFor(userId, (at) => at === Number(version)),
    toldUntil: async (userId, version) =>
      accesses()
        .filter((line) => line.person === userId && line.version <= Number(version))
        .map((line) => asChange({ ...line, deleted: false })),
    commitsAfter: async (version) => {
      const since = Number(version);
      const changed = lines().filter((line) => line.version > since);
      return {
        ...positionOf(tx),
        people: [
          ...new Set([
            ...changed.flatMap(({ audience }) => audience),
            ...accesses().flatMap((line) => (line.version > since ? [line.person] : [])),
          ]),
        ],
        accounts: changed.flatMap(({ entity, entity_id: id }) => (entity === 'users' ? [id] : [])),
        collections: [
          ...new Set(
            changed.flatMap(({ shelf: collection, shelf_version: at }) =>
              collection !== null && (at ?? 0) > since ? [collection] : [],
            ),
          ),
        ],
      };
    },
    changedAfter: async (table, ids, after) => {
      const since = lines().filter(({ entity, version }) => entity === table && version > Number(after));
      return new Set(since.map(({ entity_id: id }) => id).filter((id) => ids.includes(id)));
    },
    readTimelines: async () =>
      tx.all('sync_timeline').map(({ timeline, previous, point, first, began_at: beganAt }) => ({
        timeline: String(timeline),
        previous: String(previous),
        point: String(point),
        first: String(first),
        beganAt: beganAt as Date,
      })),
    isBelowFloor: async (version) => meta().tombstone_floor > Number(version),
    purgeRemovals: async (before) => {
      await tx.hold('commit');
      const gone = lines().filter((line) => line.deleted && line.changed_at < before && isBuilt(line));
      for (const { entity, entity_id: id } of gone) {
        tx.remove('sync_change', `${entity}/${id}`);
        for (const line of accesses())
          if (line.entity === entity && line.entity_id === id)
            tx.remove('sync_access', `${entity}/${id}/${line.person}`);
      }
      const floor = gone.reduce((most, { version }) => Math.max(most, version), meta().tombstone_floor);
      if (gone.length > 0) tx.put('sync_meta', 'only', { ...meta(), tombstone_floor: floor });
      for (const row of tx.all('sync_attempt'))
        if ((row['last_at'] as Date) < before)
          tx.remove('sync_attempt', `${String(row['user_id'])}/${String(row['uid'])}`);
      return gone.length;
    },
  };
}
