import type { ShelfName, ShelfRow } from '../../shared/tables/shelves.ts';
import { makeCell } from '../lib/cell.ts';
import type { ShelfMemory, ShelfSnapshot } from '../shelves/shelf-memory.ts';

export type StillShelf<Name extends ShelfName> = ShelfMemory<Name> & { set(changes: Partial<ShelfSnapshot<Name>>): void };

/** A shelf's memory that holds what a test says and nothing else. */
export function stillShelf<Name extends ShelfName>(rows: readonly ShelfRow<Name>[], changes: Partial<ShelfSnapshot<Name>> = {}): StillShelf<Name> {
  const cell = makeCell<ShelfSnapshot<Name>>({ status: 'ready', rows, progress: { here: 1, of: 1 }, updatedAt: '2026-01-02T00:00:00.000Z', ...changes });
  return {
    current: cell.current,
    subscribe: cell.subscribe,
    find: (id) => cell.current().rows.find((row) => (row as unknown as { id: string }).id === id),
    close: () => undefined,
    set: (next) => cell.set({ ...cell.current(), ...next }),
  };
}
