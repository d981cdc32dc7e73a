import { day, hour } from '../../../../shared/lib/durations.ts';
import { must } from '../../../../shared/lib/must.ts';
import { hasNzbnCheckDigit } from '../../../../shared/lib/nzbn.ts';
import { createId } from '../../../../shared/lib/id.ts';
import type { Interest, Job, Tradie, User } from '../../../../shared/tables/index.ts';
import { seededRandom } from '../../../../shared/testing/random-source.ts';
import { demoHomeowners, demoInterests, demoNeighbours, demoTradies } from './demo-people.ts';
import type { DemoJob } from './demo-job.ts';
import { lowerNorthIslandJobs } from './lower-north-island-jobs.ts';
import { southIslandJobs } from './south-island-jobs.ts';
import { upperNorthIslandJobs } from './upper-north-island-jobs.ts';

/** A picture to be stored before the rows that name it are written. */
export interface DemoFile {
  bucket: 'job-photos' | 'tradie-logos';
  /** Below the bucket: the job's id, or for a logo a folder of its own, then timestamp-name. */
  path: string;
  ownerId: string;
  /** Name of its file in `pictures`. */
  picture: string;
}

export interface DemoRows {
  users: User[];
  tradies: Tradie[];
  jobs: Job[];
  interests: Interest[];
  files: DemoFile[];
}

/**
 * The people, jobs, interests and pictures of the demo. The same `now` always gives the same rows; ids do not depend on
 * it at all.
 */
export function demoRows(now: Date): DemoRows {
  const random = seededRandom(20_261_013);
  // Ids carry a time; a fixed one keeps them the same whenever the demo is seeded.
  const newId = () => createId(Date.UTC(2026, 9, 13), random);
  // These rows take their ids from a source of their own: the ids of the others stay what they were.
  const folders = seededRandom(20_261_122);
  const newFolder = () => createId(Date.UTC(2026, 9, 13), folders);
  const at = (hoursAgo: number) => new Date(now.getTime() - hoursAgo * hour).toISOString();
  const files: DemoFile[] = [];

  const person = (email: string, firstName: string, lastName: string): User => ({
    id: newId(),
    email,
    firstName,
    lastName,
    tradieId: null,
    subscriptionStatus: null,
    subscriptionValidUntil: null,
    createdAt: at(24 * 60),
  });
  const homeowners = Object.values(demoHomeowners).map(({ email, firstName, lastName }) =>
    person(email, firstName, lastName),
  );
  const neighbours = demoNeighbours.map(([firstName, lastName], index) =>
    person(`neighbour${index + 1}@demo.nz`, firstName, lastName),
  );

  const tradies: Tradie[] = [];
  const tradieUsers = Object.values(demoTradies).map((demo): User => {
    if (!hasNzbnCheckDigit(demo.nzbn)) throw new Error(`${demo.businessName} has an NZBN that fails its check digit`);
    const user = person(demo.email, demo.firstName, demo.lastName);
    const path = `${newFolder()}/${Date.UTC(2026, 9, 13)}-logo.webp`;
    files.push({ bucket: 'tradie-logos', path, ownerId: user.id, picture: demo.logo });
    const tradie: Tradie = {
      id: newId(),
      userId: user.id,
      businessName: demo.businessName,
      nzbn: demo.nzbn,
      isVerified: true,
      logo: `tradie-logos/${path}`,
      description: demo.description,
      categoryIds: [...demo.categoryIds],
      contactPersonFirstName: demo.firstName,
      contactPersonLastName: demo.lastName,
      businessAddress: demo.businessAddress,
      email: demo.email,
      contactPhone: demo.contactPhone,
      locationId: demo.locationId,
      createdAt: user.createdAt,
    };
    tradies.push(tradie);
    const subscriptionValidUntil = new Date(now.getTime() + demo.validForDays * day).toISOString();
    return { ...user, tradieId: tradie.id, subscriptionStatus: demo.subscriptionStatus, subscriptionValidUntil };
  });

  const owners = [...homeowners, ...neighbours];
  const ownerOf = ({ owner }: DemoJob, index: number) =>
    owner === undefined
      ? must(neighbours[index % neighbours.length], 'a neighbour').id
      : must(
          owners.find(({ email }) => email === demoHomeowners[owner].email),
          owner,
        ).id;
  const jobs = [...upperNorthIslandJobs, ...lowerNorthIslandJobs, ...southIslandJobs].map((demo, index): Job => {
    const id = newId();
    const userId = ownerOf(demo, index);
    const images = (demo.photos ?? []).map((picture, order) => {
      const path = `${id}/${Date.UTC(2026, 9, 13) + order}-${picture}.webp`;
      files.push({ bucket: 'job-photos', path, ownerId: userId, picture });
      return `job-photos/${path}`;
    });
    return {
      id,
      userId,
      images,
      title: demo.title,
      description: demo.description,
      locationId: demo.locationId,
      budgetMin: null,
      budgetMax: demo.budgetMax ?? null,
      urgency: demo.urgency,
      categoryId: demo.categoryId,
      status: demo.closedHoursAgo === undefined ? 'active' : 'closed',
      interestCount: demoInterests.filter(({ job }) => job === demo.title).length,
      address: null,
      suburb: null,
      createdAt: at(demo.hoursAgo),
      closedAt: demo.closedHoursAgo === undefined ? null : at(demo.closedHoursAgo),
    };
  });

  const interests = demoInterests.map((demo): Interest => {
    const tradie = must(
      tradies.find(({ email }) => email === demoTradies[demo.tradie].email),
      demo.tradie,
    );
    const job = must(
      jobs.find(({ title }) => title === demo.job),
      demo.job,
    );
    return {
      id: newId(),
      jobId: job.id,
      tradieId: tradie.id,
      userId: tradie.userId,
      ownerId: job.userId,
      note: demo.note,
      contactedAt: demo.contactedHoursAgo === undefined ? null : at(demo.contactedHoursAgo),
      ownerNote: null,
      // An owner who called has read it.
      seenAt: demo.contactedHoursAgo === undefined ? null : at(demo.contactedHoursAgo),
      isSeen: demo.contactedHoursAgo !== undefined,
      createdAt: at(demo.hoursAgo),
    };
  });

  return { users: [...homeowners, ...neighbours, ...tradieUsers], tradies, jobs, interests, files };
}
