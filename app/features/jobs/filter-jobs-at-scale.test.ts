import { expect, test } from 'vitest';
import { makeJob } from '../../../shared/testing/make.ts';
import { seededRandom } from '../../../shared/testing/random-source.ts';
import { createFindJobs, type FeedJob } from './filter-jobs.ts';
import { jobSorts, resetFilters, type JobFilters } from './job-filters.ts';
import { urgencies } from '../../words/urgency.ts';

const random = seededRandom(20_000);
const draw = (below: number) => new DataView(Uint8Array.from(random.bytes(4)).buffer).getUint32(0) % below;
const pick = <T>(from: readonly T[]): T => from[draw(from.length)]!;

const words = ['Roof', 'Deck', 'Whangārei', 'villa', 'Spouting', 'fence', 'Ōtaki', 'tiles'];
const towns = ['northland/whangarei', 'wellington/otaki', 'southland/winton', 'otago/ranfurly'];
const region = (id: string) => id.split('/')[0];
const jobs: FeedJob[] = Array.from({ length: 20_000 }, () =>
  makeJob({
    title: `${pick(words)} ${pick(words)}`,
    description: pick(words),
    categoryId: pick(['builder', 'roofer', 'fencer']),
    locationId: draw(20) === 0 ? null : pick(towns),
    budgetMax: draw(5) === 0 ? null : draw(160) * 500,
  }),
);
/** Kilometres from the tradie, and between towns; Ranfurly has no position. */
const distances = new Map([
  ['northland/whangarei', 600.5],
  ['wellington/otaki', 40],
  ['southland/winton', 700],
]);
const distancesFrom = (from: string) => {
  const origin = distances.get(from);
  return origin === undefined ? undefined : new Map([...distances].map(([id, km]) => [id, Math.abs(km - origin)]));
};
function isNear(job: FeedJob, { withinKm, locationId }: JobFilters): boolean {
  if (job.locationId === null) return false;
  if (locationId === null) return (distances.get(job.locationId) ?? Infinity) <= withinKm!;
  return job.locationId === locationId || (distancesFrom(locationId)?.get(job.locationId) ?? Infinity) <= withinKm!;
}

const interestedIn = new Set(jobs.filter(() => draw(10) === 0).map(({ id }) => id));

const hidden = new Set(jobs.filter(() => draw(10) === 0).map(({ id }) => id));
const shortlisted = new Set(jobs.filter(() => draw(10) === 0).map(({ id }) => id));

const findJobs = createFindJobs();
const plain = (text: string) => text.toLowerCase().replaceAll('ā', 'a').replaceAll('ō', 'o');
/** The filters one after the other, without optimisation. */
function belongs(job: FeedJob, filters: JobFilters): boolean {
  const isInterested = interestedIn.has(job.id);
  return (
    (filters.showInterested || !isInterested) &&
    (filters.showOthers || isInterested) &&
    (filters.onlyShortlisted ? shortlisted.has(job.id) : filters.onlyHidden === hidden.has(job.id)) &&
    (filters.categoryIds.length === 0 || filters.categoryIds.includes(job.categoryId)) &&
    (filters.urgencies.length === 0 || filters.urgencies.includes(job.urgency)) &&
    (filters.withinKm === null
      ? (filters.region === null || (job.locationId !== null && region(job.locationId) === filters.region)) &&
        (filters.locationId === null || job.locationId === filters.locationId)
      : isNear(job, filters)) &&
    (job.budgetMax === null || filters.budget === 50_000 || job.budgetMax <= filters.budget) &&
    (plain(job.title).includes(plain(filters.text)) || plain(job.description).includes(plain(filters.text)))
  );
}

test.each(Array.from({ length: 40 }, (_none, at) => at))(
  '20,000 jobs: search %i finds what the specification says, in its order',
  (at) => {
    const filters: JobFilters = {
      text: draw(2) === 0 ? '' : pick(['roof', 'whangarei', 'OTAKI', 'Deck']),
      sort: jobSorts[at % jobSorts.length]!,
      categoryIds: draw(2) === 0 ? [] : ['builder', 'roofer'].slice(0, 1 + draw(2)),
      urgencies: draw(2) === 0 ? [] : urgencies.slice(draw(3)),
      region: draw(2) === 0 ? null : pick(['northland', 'otago']),
      locationId: draw(4) === 0 ? pick(towns) : null,
      withinKm: draw(3) === 0 ? pick([5, 200, 650]) : null,
      budget: draw(3) === 0 ? resetFilters.budget : draw(101) * 500,
      showInterested: draw(4) > 0,
      showOthers: draw(4) > 0,
      onlyHidden: draw(4) === 0,
      onlyShortlisted: draw(4) === 0,
    };
    const found = findJobs(jobs, filters, {
      interestedIn,
      hidden,
      shortlisted,
      regionOf: region,
      distances,
      distancesFrom,
    });
    expect(found.map(({ id }) => id).toSorted()).toEqual(
      jobs
        .filter((job) => belongs(job, filters))
        .map(({ id }) => id)
        .toSorted(),
    );

    const collator = new Intl.Collator('en-NZ', { sensitivity: 'base', numeric: true });
    const budget = (job: FeedJob, none: number) => job.budgetMax ?? none;
    const km = ({ locationId }: FeedJob) => distances.get(locationId ?? '') ?? 99_999;
    const inOrder: Record<JobFilters['sort'], (one: FeedJob, next: FeedJob) => boolean> = {
      newest: (one, next) => one.createdAt >= next.createdAt,
      nearest: (one, next) => km(one) < km(next) || (km(one) === km(next) && one.createdAt >= next.createdAt),
      'a-z': (one, next) => collator.compare(one.title, next.title) <= 0,
      highest: (one, next) => budget(one, -1) >= budget(next, -1),
      lowest: (one, next) => budget(one, Infinity) <= budget(next, Infinity),
    };
    expect(found.findIndex((job, place) => place > 0 && !inOrder[filters.sort](found[place - 1]!, job))).toBe(-1);
  },
);
