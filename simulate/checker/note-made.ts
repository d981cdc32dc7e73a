import { argsHash } from '../../sync-server/sync/args-hash.ts';
import type { Counters } from '../world/counters.ts';
import type { ClientGroup } from './client-group.ts';
import type { DiskSnapshot } from './disk-snapshot.ts';

interface History {
  durable: Set<string>;
  makers: Map<string, string>;
  counters: Counters;
  nextOrder(): number;
}

/** Adds what is new on this disk to the history of its person: mutations, and photos. */
export function noteMade(
  group: ClientGroup,
  now: DiskSnapshot,
  { durable, makers, counters, nextOrder }: History,
): void {
  for (const { uid, name, args } of now.outbox) {
    durable.add(uid);
    if (group.made.has(uid)) continue;
    if (!makers.has(uid)) makers.set(uid, group.userId);
    const version = Number(now.place?.v ?? 0);
    group.made.set(uid, { uid, name, args, argsHash: argsHash(name, args), order: nextOrder(), version });
    counters.count(`made: ${name}`);
    const { id = '', jobId = '' } = args as { id?: string; jobId?: string };
    if (name === 'job.post') group.mustSee.set(uid, { table: 'jobs', id, jobId: id });
    if (name === 'interest.express') group.mustSee.set(uid, { table: 'interests', id, jobId });
  }
  for (const { id, path, bytes, jobId } of now.photos) {
    if (!group.photos.has(id)) group.photos.set(id, { path, bytes: bytes.byteLength, jobId });
    if (!makers.has(path)) makers.set(path, group.userId);
  }
}
