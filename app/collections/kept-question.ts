import { Dexie, type ObservabilitySet } from 'dexie';
import type { CollectionName } from '../../shared/tables/collections.ts';
import type { CollectionDb, CollectionState } from '../db/person-db.ts';
import type { Watchable } from '../db/private-rows.ts';
import type { CollectionsQuestion } from '../sync/ports.ts';
import { collectionStoreNames, type CollectionDbs } from './collection-dbs.ts';

export interface Position {
  collection: CollectionName;
  db: CollectionDb;
  state: CollectionState;
  /** Whether to ask for it now: this person may read it, and it has a version or no first segments under way. */
  isWanted: boolean;
}

export interface ReadQuestion {
  question: CollectionsQuestion;
  positions: readonly Position[];
  /** These are asked for in segments, because so many rows have changed. */
  long: readonly CollectionName[];
}

interface KeptQuestion {
  /** What is kept, or what `read` finds. */
  read(read: () => Promise<ReadQuestion>): Promise<ReadQuestion>;
  drop(): void;
  stop(): void;
}

/** What a question says of a person besides the collections themselves. */
const saysOf = ['users', 'tradies', 'searches', 'meta/filters', 'meta/regions'] satisfies Watchable[];

/**
 * What the collections ask, kept from the end of one exchange for the next, which a person may be waiting for: until
 * something of it is written, by whichever tab. One that is too old all the same does no harm: its answer is to another
 * question, and writes nothing.
 */
export function createKeptQuestion({ publicDb, personDb }: CollectionDbs, onlyNear: () => boolean): KeptQuestion {
  let kept: { read: ReadQuestion; key: string } | undefined;
  let drops = 0;
  const watched = [publicDb, personDb].flatMap((db) =>
    db === undefined ? [] : collectionStoreNames.map((store) => `idb://${db.name}/${store}/`),
  );
  const drop = () => {
    drops += 1;
    kept = undefined;
  };
  const hear = (parts: ObservabilitySet) => {
    const names = Object.keys(parts);
    if (names.some((name) => name === 'all' || watched.some((of) => name.startsWith(of)))) drop();
  };
  Dexie.on.storagemutated.subscribe(hear);
  const keyNow = () => {
    const rows = personDb?.rows;
    if (rows?.at() === undefined) return undefined;
    return [onlyNear(), ...saysOf.map((of) => rows.version(of))].join();
  };
  return {
    read: async (read) => {
      const [key, before] = [keyNow(), drops];
      if (kept !== undefined && kept.key === key) return kept.read;
      const found = await read();
      // What asks for segments is asked once.
      const mayKeep = Object.values(found.question.versions).every((version) => version !== null);
      if (mayKeep && key !== undefined && key === keyNow() && before === drops) kept = { read: found, key };
      return found;
    },
    drop,
    stop: () => Dexie.on.storagemutated.unsubscribe(hear),
  };
}
