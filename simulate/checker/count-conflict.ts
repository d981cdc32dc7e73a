import type { Committed } from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { Counters } from '../world/counters.ts';
import type { Made } from './client-group.ts';

/** Applied although another device had changed the row: the "applied" lines of the table of conflicts. */
export function countConflict(
  counters: Counters,
  userId: string,
  { name, args, version }: Made,
  before: Committed,
): void {
  const { id = '', jobId = '' } = args as { id?: string; jobId?: string };
  const interests = [...(before.get('interests')?.values() ?? [])];
  if (name === 'job.close' && before.get('jobs')?.get(id)?.['status'] === 'closed')
    counters.count('conflict: closed twice');
  if (name === 'interest.express' && interests.some((row) => row['jobId'] === jobId && row['userId'] === userId))
    counters.count('conflict: expressed twice');
  if (name === 'job.edit' && Number(before.get('sync_change')?.get(`jobs/${id}`)?.['version'] ?? 0) > version)
    counters.count('conflict: edited on two devices');
}
