import { must } from '../../shared/lib/must.ts';
import { signedIn } from '../account.ts';
import type { RunningServer } from '../open-server.ts';
import { demo } from '../person.ts';

interface ListedJob {
  readonly id: string;
  readonly title: string;
}

/** Addresses of the demonstration data. */
export interface SeedIds {
  /** The address of this job of the demonstration. */
  job(title: string): string;
  /** The id of this job. */
  jobId(title: string): string;
  /** The address of this business's profile. */
  tradie(businessName: string): string;
}

/** The ids the server gave the demonstration data. */
export async function readSeedIds(server: RunningServer): Promise<SeedIds> {
  const [owner, tradie] = await Promise.all(
    ['homeowner', 'tradie'].map(async (name) => {
      const { email, password } = demo(name);
      return signedIn(server, email, password);
    }),
  );
  const jobs = (
    await Promise.all([
      must(owner, 'the homeowner').get<ListedJob[]>('/api/jobs?type=my-jobs'),
      must(tradie, 'the tradie').get<ListedJob[]>('/api/jobs'),
    ])
  ).flat();
  const tradies = await must(tradie, 'the tradie').get<{ id: string; businessName: string }[]>('/api/tradies');
  const jobId = (title: string) =>
    must(
      jobs.find((job) => job.title === title),
      `the job “${title}”`,
    ).id;
  return {
    jobId,
    job: (title) => `/job/${jobId(title)}`,
    tradie: (businessName) =>
      `/tradie/${
        must(
          tradies.find((row) => row.businessName === businessName),
          businessName,
        ).id
      }`,
  };
}
