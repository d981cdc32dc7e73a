import { fsyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncPath } from './sync-folder.ts';

/** What we use of Emscripten's file system over Node's: `nfd` is Node's descriptor, which a directory has none of. */
interface Stream {
  nfd?: number;
  node: unknown;
}
interface NodeFileSystem {
  realPath(node: unknown): string;
  stream_ops: { fsync?: (stream: Stream) => number };
}
type EmscriptenOptions = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts'];

/**
 * PGlite's files, synced where PostgreSQL asks for it. Emscripten's file system leaves `fsync` out, so that what
 * PostgreSQL takes for durable is in the memory of the operating system alone: a power cut would take back what was
 * acknowledged, and could damage the rest.
 */
export class SyncedNodeFs extends NodeFS {
  override async init(pg: PGlite, options: EmscriptenOptions): Promise<{ emscriptenOpts: EmscriptenOptions }> {
    const { emscriptenOpts } = await super.init(pg, options);
    const sync: NonNullable<EmscriptenOptions['preRun']>[number] = (module) => {
      const files = (module.FS.filesystems as unknown as { NODEFS: NodeFileSystem }).NODEFS;
      files.stream_ops.fsync = ({ nfd, node }) => {
        if (nfd === undefined) syncPath(files.realPath(node));
        else fsyncSync(nfd);
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), sync] } };
  }
}

/** Starts as PGlite does, but with syncing: by `fsync`, for Emscripten's `fdatasync` does nothing. */
export const syncedStart = (usual: readonly string[]): string[] => [
  ...usual.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];
