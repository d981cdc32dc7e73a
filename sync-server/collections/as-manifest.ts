import type { Manifest } from '../../shared/protocol/segment.ts';
import type { StoredManifest } from '../store/collection-tables.ts';

/** Makes the manifest as it is sent: newest first, without our edges. */
export function asManifest({ version, entries }: StoredManifest, timeline: string): Manifest {
  return {
    version,
    timeline,
    segments: entries.toReversed().map(({ hash, rows, bytes, from, to }) => ({ hash, rows, bytes, from, to })),
  };
}
