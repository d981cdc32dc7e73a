import type * as z from 'zod/mini';
import type { job } from '../../shared/api/jobs.ts';
import type { Job } from '../../shared/tables/index.ts';
import type { ReferenceLists } from './reference-lists.ts';

/** A job as a viewer may see it: whose it is, only the owner learns. */
export function presentJob(row: Job, viewerId: string | undefined, { locations }: Pick<ReferenceLists, 'locations'>): z.output<typeof job> {
  const { userId, closedAt: _, ...open } = row;
  const location = row.locationId === null ? null : (locations.get(row.locationId) ?? null);
  return { ...open, location, ...(userId !== null && userId === viewerId ? { userId } : {}) };
}
