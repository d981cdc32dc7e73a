import type { CollectionName, CollectionRow } from '../../shared/tables/collections.ts';
import { createCell } from '../lib/cell.ts';
import type { CollectionMemory } from '../collections/collection-memory.ts';
import type { CollectionContents } from '../collections/collection-rows.ts';

export type FixedCollection<Name extends CollectionName> = CollectionMemory<Name> & {
  set(changes: Partial<CollectionContents<Name>>): void;
};

/** A collection's memory that holds what a test sets and nothing else. */
export function fixedCollection<Name extends CollectionName>(
  rows: readonly CollectionRow<Name>[],
  changes: Partial<CollectionContents<Name>> = {},
): FixedCollection<Name> {
  const cell = createCell<CollectionContents<Name>>({
    status: 'ready',
    rows,
    progress: { here: 1, of: 1, isNearHere: true },
    updatedAt: '2026-01-02T00:00:00.000Z',
    ...changes,
  });
  return {
    current: cell.current,
    subscribe: cell.subscribe,
    find: (id) => cell.current().rows.find((row) => (row as unknown as { id: string }).id === id),
    showEarly: () => undefined,
    close: () => undefined,
    set: (next) => cell.set({ ...cell.current(), ...next }),
  };
}
