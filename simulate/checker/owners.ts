import type { Written } from '../../sync-server/testing/memory-store/memory-engine.ts';
import type { Backend } from '../world/backend.ts';
import type { Owners } from './i17-apart.ts';

/** Who posted each job and who has answered it, in any timeline: read from every commit, and never deleted. */
export function createOwners(backend: Backend): Owners {
  /** A deleted one may be posted again under its id by another person. */
  const owners = new Map<string, Set<string>>();
  const answered = new Set<string>();
  const take = ({ wrote, after }: Written) => {
    for (const { table, key } of wrote) {
      const row = after.get(table)?.get(key);
      if (table === 'jobs' && row !== undefined)
        owners.set(key, (owners.get(key) ?? new Set()).add(String(row['userId'])));
      if (table === 'interests' && row !== undefined) answered.add(`${String(row['userId'])} ${String(row['jobId'])}`);
    }
  };
  backend.onWrites(take);
  backend.onFormerWrites(take);
  return { ownersOf: (jobId) => owners.get(jobId), hasAnswered: (userId, jobId) => answered.has(`${userId} ${jobId}`) };
}
