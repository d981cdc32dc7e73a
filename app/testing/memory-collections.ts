import { unpackSegment, type Manifest } from '../../shared/protocol/segment.ts';
import {
  collectionNames,
  collectionOfTable,
  widenCollectionRow,
  type CollectionName,
  type CollectionRow,
} from '../../shared/tables/collections.ts';
import type { CollectionsPort } from '../sync/ports.ts';
import type { UntypedRow } from './untyped-rows.ts';

/** Collections that are gone with the tab: enough for the engine's own tests. */
export function memoryCollections(
  segment: (hash: string) => string | undefined,
): CollectionsPort & { rows(name: CollectionName): UntypedRow[] } {
  const rows = new Map<CollectionName, Map<string, UntypedRow>>(collectionNames.map((name) => [name, new Map()]));
  const versions = new Map<CollectionName, string | null>(collectionNames.map((name) => [name, null]));
  const timelines = new Map<CollectionName, string>();
  const of = (name: CollectionName) => rows.get(name) ?? new Map<string, UntypedRow>();

  function layManifest(name: CollectionName, manifest: Manifest): void {
    const read = manifest.segments.flatMap(({ hash }) => unpackSegment(name, segment(hash) ?? '{}') as UntypedRow[]);
    rows.set(name, new Map(read.map((row) => [row.id, row])));
    versions.set(name, manifest.version);
    if (manifest.timeline !== undefined) timelines.set(name, manifest.timeline);
  }

  return {
    rows: (name) => [...of(name).values()],
    asked: async () => ({
      versions: Object.fromEntries(versions),
      timelines: Object.fromEntries(timelines),
      marks: {},
    }),
    standingAt: async (asked, askedTimelines = {}) =>
      collectionNames.every((name) => asked[name] === undefined || asked[name] === versions.get(name))
        ? { versions: asked, timelines: askedTimelines, marks: {} }
        : undefined,
    find: async (table, id) => {
      const name = collectionOfTable(table);
      const row = name === undefined ? undefined : of(name).get(id);
      return name === undefined || row === undefined
        ? undefined
        : (widenCollectionRow(name, row as unknown as CollectionRow<typeof name>) as UntypedRow);
    },
    hasMoreToAsk: async ({ versions: asked }) =>
      collectionNames.some((name) => asked[name] === null && versions.get(name) !== null),
    forgetVersions: async () => {
      for (const name of versions.keys()) versions.set(name, null);
    },
    apply: async (answers, { versions: asked }) => {
      for (const name of collectionNames) {
        const answer = answers[name];
        if (answer === undefined || asked[name] !== versions.get(name)) continue;
        if ('denied' in answer) {
          rows.set(name, new Map());
          versions.set(name, null);
        } else if ('manifest' in answer) layManifest(name, answer.manifest);
        else {
          for (const row of answer.puts as UntypedRow[]) of(name).set(row.id, row);
          for (const id of answer.removes) of(name).delete(id);
          versions.set(name, answer.version);
        }
      }
    },
  };
}
