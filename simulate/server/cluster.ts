import { createExchange, type Exchange } from '../../sync-server/sync/exchange.ts';
import { openPoke, type Poke } from '../../sync-server/sync/poke.ts';
import { openCollections, type Collections } from '../../sync-server/collections/collections.ts';
import type { EngineParts } from '../../sync-server/sync/sync-parts.ts';
import type { ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { createProcess, type SimProcess, type Loop } from '../time/loop.ts';
import { minute } from '../../shared/lib/durations.ts';

/** Virtual milliseconds: less than a run lasts, so that what nothing brings back is decided within it. */
export const restoreWaitMs = 5 * minute;

/** One running process of the server: the product's own handlers over its own connections to the database. */
export interface Instance {
  readonly proc: SimProcess;
  readonly parts: EngineParts;
  readonly exchange: Exchange;
  readonly poke: Poke;
  readonly collections: Collections;
  /** Called when the process ends: requests that wait for it lose their connection. */
  readonly connections: Set<() => void>;
  /** What a release with other rows adds to the schema that a device names. */
  readonly schemaShift: number;
}

export interface Cluster {
  /** Those that run. */
  running(): readonly Instance[];
  /** Ends a process, as kill -9 does. */
  kill(instance: Instance): void;
  /**
   * Starts a process anew, with nothing in its memory; again after a second where the database rejected it. Of the
   * usual release, or of another.
   */
  start(release?: 'usual' | 'other'): void;
}

export interface ClusterParts {
  loop: Loop;
  clock: () => Date;
  pageSize: number;
  /** A feed with more jobs is held by devices in part; the product's limit where undefined. */
  heldWholeUpTo: number | undefined;
  storeFor(proc: SimProcess): EngineParts['store'];
  /** Called with what a person requests, before it is decided. */
  onAsked(userId: string, mutations: ExchangeRequest['mutations']): void;
  /** The database's side of a process's end. */
  onKilled(proc: SimProcess): void;
  onLog(text: string): void;
}

export function createCluster({
  loop,
  clock,
  pageSize,
  heldWholeUpTo,
  storeFor,
  onAsked,
  onKilled,
  onLog,
}: ClusterParts): Cluster {
  let instances: Instance[] = [];
  let started = 0;
  const note = (_details: unknown, text?: unknown) => onLog(String(text ?? ''));
  const log = { info: note, warn: note, error: note };

  async function open(proc: SimProcess, schemaShift: number): Promise<void> {
    const parts: EngineParts = { store: storeFor(proc), clock, log, restoreWaitMs };
    const collections = openCollections({ ...parts, heldWholeUpTo });
    const poke = openPoke({ ...parts, carrying: { store: parts.store, collections } });
    const decide = poke.watching(createExchange({ ...parts, collections, headVersion: poke.freshHead, pageSize }));
    const exchange: Exchange = (person, request) => {
      onAsked(person.userId, request.mutations);
      return decide(person, request);
    };
    await poke.start();
    await collections.start();
    if (proc.state === 'running')
      instances = [...instances, { proc, parts, exchange, poke, collections, connections: new Set(), schemaShift }];
  }

  function start(release: 'usual' | 'other' = 'usual'): void {
    started += 1;
    const proc = createProcess(`server ${started}`);
    open(proc, release === 'usual' ? 0 : 1_000).catch(() => {
      loop.end(proc);
      onKilled(proc);
      loop.after(1_000, () => start(release));
    });
  }

  return {
    running: () => instances,
    kill: (instance) => {
      if (instance.proc.state === 'dead') return;
      loop.end(instance.proc);
      instances = instances.filter((other) => other !== instance);
      onKilled(instance.proc);
      // Only their timers are cleared: their pending database calls never settle.
      void instance.poke.close();
      void instance.collections.close();
      for (const lost of Array.from(instance.connections)) lost();
    },
    start,
  };
}
