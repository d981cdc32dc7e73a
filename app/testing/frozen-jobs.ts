import { must } from '../../shared/lib/must.ts';
import type { User } from '../../shared/tables/index.ts';
import { makeInterest, makeJob } from '../../shared/testing/make.ts';
import type { DeviceHarness } from './open-device-harness.ts';

export type Jobs = ReturnType<typeof writeJobs>;

/** Writes to the server the jobs and the interest that the frozen phones begin with. */
export function writeJobs(harness: DeviceHarness, owner: User, tradie: User) {
  const photo = (name: string) => `https://photos.example.nz/job-photos/${owner.id}/${gate.id}/${name}.jpg`;
  const gate = makeJob({ userId: owner.id, title: 'Hang the gate', interestCount: 1 });
  const jobs = {
    gate: { ...gate, images: [photo('1-before'), photo('2-after')] },
    shed: makeJob({ userId: owner.id, title: 'Paint the shed' }),
    stale: makeJob({ userId: owner.id, title: 'Clear the drain' }),
    refused: makeJob({ userId: owner.id, title: 'Fell the pine' }),
    feed: makeJob({
      title: 'Shift a piano',
      budgetMax: null,
      locationId: null,
      address: 'Station Road',
      suburb: 'Winton',
    }),
    closing: makeJob({ title: 'Cut the hedge' }),
  };
  const interest = makeInterest({
    jobId: gate.id,
    tradieId: must(tradie.tradieId, 'tradieId'),
    userId: tradie.id,
    ownerId: owner.id,
  });
  harness.server.write((rows) => {
    for (const job of Object.values(jobs)) rows.jobs.set(job.id, job);
    rows.interests.set(interest.id, interest);
  });
  return { ...jobs, interest };
}
