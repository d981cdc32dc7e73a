import { minute } from '../../../shared/lib/durations.ts';
import { createId } from '../../../shared/lib/id.ts';
import { must } from '../../../shared/lib/must.ts';
import type { Job, Tradie, User } from '../../../shared/tables/index.ts';
import { seededRandom, type SeededRandom } from '../../../shared/testing/random-source.ts';
import { lowerNorthIslandJobs } from './demo/lower-north-island-jobs.ts';
import { southIslandJobs } from './demo/south-island-jobs.ts';
import { upperNorthIslandJobs } from './demo/upper-north-island-jobs.ts';
import { referenceRows } from './reference-rows.ts';

export interface ManyRowsOptions {
  jobs: number;
  tradies: number;
  /** The same seed gives the same rows. */
  seed?: number;
  /** Instant of the newest job; the others are older, one every three minutes or so. */
  newest?: Date;
}

export interface ManyRows {
  users: User[];
  tradies: Tradie[];
  jobs: Job[];
}

const what = [
  'Rotten weatherboards',
  'A leaking roof',
  'An uneven floor',
  'New spouting',
  'A tired bathroom',
  'A fence down',
  'A cracked driveway',
  'Paint coming away',
  'A wall that leans',
  'A damp bedroom',
] as const;
const where = [
  'on the south side',
  'behind the garage',
  'by the back door',
  'under the kitchen window',
  'along the road',
  'next to the carport',
  'upstairs',
  'around the sleepout',
] as const;
/** What people write, in scraps of two words: recombined it makes no sense, but compresses as real text does. */
const scraps = [...upperNorthIslandJobs, ...lowerNorthIslandJobs, ...southIslandJobs].flatMap(({ description }) => {
  const words = description.split(' ');
  return words.slice(1).map((word, at) => `${words[at]} ${word}`);
});
const trades = [
  'Roofing',
  'Building',
  'Plumbing',
  'Electrical',
  'Fencing',
  'Joinery',
  'Drainage',
  'Landscapes',
  'Tiling',
  'Painting',
] as const;
const names = [
  'Kahu',
  'Totara',
  'Southern',
  'Ridgeline',
  'Harbour',
  'Tui',
  'Cook Strait',
  'Four Square',
  'Kererū',
  'Longburn',
  'Blue Gum',
  'Rātā',
] as const;

function describe(random: SeededRandom): string {
  const length = 240 + random.below(120);
  let text = random.pick(what);
  while (text.length < length) text += ` ${random.pick(scraps)}`;
  return text;
}

/**
 * A full marketplace for tests and benchmarks: active jobs with descriptions of about 300 characters and up to five
 * photo addresses, tradies with contacts, and the people behind both. Private fields hold words that occur nowhere else
 * (`private-…`), so that a test can search anything that leaves the server for them.
 */
export function manyRows({
  jobs,
  tradies,
  seed = 1,
  newest = new Date(Date.UTC(2026, 10, 1)),
}: ManyRowsOptions): ManyRows {
  const random = seededRandom(seed);
  const reference = referenceRows();
  const towns = reference.filter(({ kind }) => kind === 'location').map(({ id }) => id);
  const categories = reference.filter(({ kind }) => kind === 'category').map(({ id }) => id);
  const start = newest.getTime() - jobs * (3 * minute);
  const iso = (ms: number) => new Date(ms).toISOString();
  const person = (kind: string, index: number): User => ({
    id: createId(start, random),
    email: `private-${kind}-${index}@example.nz`,
    firstName: `private-first-${index}`,
    lastName: `private-last-${index}`,
    tradieId: null,
    subscriptionStatus: null,
    subscriptionValidUntil: null,
    createdAt: iso(start),
  });

  const owners = Array.from({ length: Math.max(1, Math.ceil(jobs / 10)) }, (_, index) => person('owner', index));
  const tradieRows: Tradie[] = [];
  const tradieUsers = Array.from({ length: tradies }, (_, index): User => {
    const user = person('tradie', index);
    const tradie: Tradie = {
      id: createId(start + index, random),
      userId: user.id,
      businessName: `${random.pick(names)} ${random.pick(trades)} ${index}`,
      nzbn: `9429${String(index).padStart(9, '0')}`,
      isVerified: random.below(3) > 0,
      logo: '',
      description: describe(random).slice(0, 400),
      categoryIds: [...new Set([random.pick(categories), random.pick(categories)])],
      contactPersonFirstName: user.firstName,
      contactPersonLastName: user.lastName,
      businessAddress: `private-street ${index}`,
      email: user.email,
      contactPhone: `+6421${String(5_000_000 + index)}`,
      locationId: random.pick(towns),
      createdAt: iso(start + index * minute),
    };
    tradieRows.push(tradie);
    return { ...user, tradieId: tradie.id, subscriptionStatus: 'active' };
  });

  const jobRows = Array.from({ length: jobs }, (_, index): Job => {
    const createdMs = start + index * (3 * minute) + random.below(3 * minute);
    const id = createId(createdMs, random);
    const owner = random.below(owners.length);
    return {
      id,
      userId: must(owners[owner], 'an owner').id,
      title: `${random.pick(what)} ${random.pick(where)}`,
      description: describe(random),
      locationId: random.pick(towns),
      budgetMin: null,
      budgetMax: random.below(4) === 0 ? null : 200 + random.below(400) * 50,
      urgency: random.pick(['slow', 'soon', 'urgent'] as const),
      categoryId: random.pick(categories),
      status: 'active',
      images: Array.from(
        { length: random.below(6) },
        (_, at) => `job-photos/${id}/${createdMs + random.below(minute) + at}-IMG_${random.below(10_000)}.jpg`,
      ),
      interestCount: random.below(6),
      address: null,
      suburb: null,
      createdAt: iso(createdMs),
      closedAt: null,
    };
  });
  return { users: [...owners, ...tradieUsers], tradies: tradieRows, jobs: jobRows };
}
