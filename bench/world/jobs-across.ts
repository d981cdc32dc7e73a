import type { World } from './open-world.ts';

const count = 200;

/** 200 jobs spread over the whole list, the newest among them. */
export function jobsAcross({ jobs, rows }: World): World['rows']['jobs'] {
  const step = Math.floor(jobs / count);
  return rows.jobs
    .toReversed()
    .filter((_job, at) => at % step === 0)
    .slice(0, count);
}
