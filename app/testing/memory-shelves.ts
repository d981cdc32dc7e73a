import { unpackSegment, type Manifest } from '../../shared/protocol/segment.ts';
import { shelfNames, shelfOfTable, widenShelfRow, type ShelfName, type ShelfRow } from '../../shared/tables/shelves.ts';
import type { ShelvesPort } from '../sync/ports.ts';
import type { LooseRow } from './fake-visibility.ts';

/** Shelves that are forgotten with the tab: enough for the engine's own tests. */
export function memoryShelves(segment: (hash: string) => string | undefined): ShelvesPort & { rows(name: ShelfName): LooseRow[] } {
  const rows = new Map<ShelfName, Map<string, LooseRow>>(shelfNames.map((name) => [name, new Map()]));
  const versions = new Map<ShelfName, string | null>(shelfNames.map((name) => [name, null]));
  const timelines = new Map<ShelfName, string>();
  const of = (name: ShelfName) => rows.get(name) ?? new Map<string, LooseRow>();

  function layManifest(name: ShelfName, manifest: Manifest): void {
    const read = manifest.segments.flatMap(({ hash }) => unpackSegment(name, segment(hash) ?? '{}') as LooseRow[]);
    rows.set(name, new Map(read.map((row) => [row.id, row])));
    versions.set(name, manifest.version);
    if (manifest.timeline !== undefined) timelines.set(name, manifest.timeline);
  }

  return {
    rows: (name) => [...of(name).values()],
    asked: async () => ({ versions: Object.fromEntries(versions), timelines: Object.fromEntries(timelines), marks: {} }),
    find: async (table, id) => {
      const name = shelfOfTable(table);
      const row = name === undefined ? undefined : of(name).get(id);
      return name === undefined || row === undefined ? undefined : (widenShelfRow(name, row as unknown as ShelfRow<typeof name>) as LooseRow);
    },
    hasMoreToAsk: async ({ versions: asked }) => shelfNames.some((name) => asked[name] === null && versions.get(name) !== null),
    forgetVersions: async () => {
      for (const name of versions.keys()) versions.set(name, null);
    },
    takeIn: async (answers, { versions: asked }) => {
      for (const name of shelfNames) {
        const answer = answers[name];
        if (answer === undefined || asked[name] !== versions.get(name)) continue;
        if ('denied' in answer) {
          rows.set(name, new Map());
          versions.set(name, null);
        } else if ('manifest' in answer) layManifest(name, answer.manifest);
        else {
          for (const row of answer.puts as LooseRow[]) of(name).set(row.id, row);
          for (const id of answer.removes) of(name).delete(id);
          versions.set(name, answer.version);
        }
      }
    },
  };
}
