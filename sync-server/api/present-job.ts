import type * as z from 'zod/mini';
import type { job } from '../../shared/api/jobs.ts';
import type { Job } from '../../shared/tables/index.ts';
import type { ReferenceLists } from './reference-lists.ts';

/** What a job is shown with. */
interface JobFrame extends Pick<ReferenceLists, 'locations'> {
  addressOf(kept: string): string;
}

/** A job as a viewer may see it: whose it is, only the owner learns. */
export function presentJob(
  row: Job,
  viewerId: string | undefined,
  { locations, addressOf }: JobFrame,
): z.output<typeof job> {
  const { userId, closedAt: _, ...open } = row;
  const location = row.locationId === null ? null : (locations.get(row.locationId) ?? null);
  return {
    ...open,
    images: row.images.map(addressOf),
    location,
    ...(userId !== null && userId === viewerId ? { userId } : {}),
  };
}
