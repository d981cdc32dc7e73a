import type { ArgsOf } from '../../shared/mutations/index.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import type { Interest, Job, Tradie } from '../../shared/tables/index.ts';
import type { Tab } from '../device/device.ts';
import { poison } from '../server/memory-backend.ts';
import { closeJob } from './held.ts';
import { on, quoted, steps, type StepContext, type Step } from './step.ts';
import { isPoisonable } from './heal.ts';
import { tap } from './tap.ts';
import { categories } from './world.ts';

const seen = (context: StepContext) =>
  context.world.checker.look(context.world.checker.groupOf(context.device, context.device.userId));
export const own = <Row>(
  context: StepContext,
  table: 'jobs' | 'interests' | 'tradies' | 'searches',
  fits: (row: Row) => boolean,
): Row | undefined => {
  const rows = ((seen(context)?.privateRows[table] ?? []) as unknown as Row[]).filter(fits);
  return rows.length === 0 ? undefined : context.chance.pick(rows);
};
export const ownJob = (context: StepContext) =>
  own<Job>(context, 'jobs', (job) => job.userId === context.device.userId);
const maxPhotos = (context: StepContext) =>
  ((seen(context)?.privateRows.jobs ?? []) as unknown as Job[])
    .filter((job) => job.userId === context.device.userId && job.status === 'active')
    .toSorted((one, other) => other.images.length - one.images.length)[0];

function aPost(
  { world, chance }: StepContext,
  tab: Tab,
  changes: Partial<ArgsOf<'job.post'>> = {},
): ArgsOf<'job.post'> {
  return {
    id: tab.newId(),
    title: `T${chance.below(5)}`,
    description: 'It sags.',
    urgency: 'soon',
    locationId: chance.pick(world.geography.towns).id,
    categoryId: chance.pick(categories),
    ...changes,
  };
}

/** A job in the feed, by the server's rows: the tradie's screen may be older, and that is intended. */
export function feedJob({ world, chance }: StepContext, isOld: boolean): Job | undefined {
  const jobs = [...(world.backend.committed().get('jobs')?.values() ?? [])] as unknown as Job[];
  const fit = jobs.filter(({ status }) => isOld || status === 'active');
  return fit.length === 0 ? undefined : chance.pick(fit);
}

/** What people do. */
export const people: Record<string, Step> &
  Record<'posts a job' | 'edits a job' | 'expresses interest' | 'closes a job' | 'ticks an interest', Step> = steps({
  'posts a job': {
    weight: 12,
    act: (context) => {
      const { tab } = context;
      if (tab === undefined) return undefined;
      const args = aPost(context, tab);
      tap(context, tab, 'job.post', args);
      return `posts ${quoted(args.id)}`;
    },
  },
  'posts a job with photos': {
    weight: 4,
    act: (context) => {
      const { tab, chance } = context;
      if (tab === undefined) return undefined;
      const args = aPost(context, tab);
      const photos = tab.makePhotos(args.id, 1 + chance.below(2));
      tap(context, tab, 'job.post', args, { photos });
      return `posts ${quoted(args.id)} with ${photos.length} photos`;
    },
  },
  'adds a photo': {
    weight: 7,
    devices: on.doubles,
    act: (context) => {
      const { tab } = context;
      // Half of the photos go to the job that has most already: five is the limit, and two devices reach it together.
      const isToTheFull = context.chance.below(2) === 0;
      const job = isToTheFull ? maxPhotos(context) : ownJob(context);
      if (tab === undefined || job === undefined) return undefined;
      const photos = tab.makePhotos(job.id, isToTheFull ? 3 : 1 + context.chance.below(3));
      tab.db.photos.bulkPut(photos).then(
        () => tab.photoUploads.wake(),
        () => context.world.counters.count('told that it was not saved: photo'),
      );
      return `adds ${photos.length} photos to ${quoted(job.id)}`;
    },
  },
  'takes a photo off': {
    weight: 3,
    devices: on.doubles,
    act: (context) => {
      const { tab, chance } = context;
      const job = maxPhotos(context);
      if (tab === undefined || job === undefined || job.images.length === 0) return undefined;
      tap(context, tab, 'photo.remove', { id: job.id, url: chance.pick(job.images) });
      return `takes a photo off ${quoted(job.id)}`;
    },
  },
  'posts what the server cannot take': {
    weight: 2,
    act: (context) => {
      const { tab, chance } = context;
      if (tab === undefined) return undefined;
      const isNul = chance.below(2) === 0;
      const args = aPost(context, tab, isNul ? { description: 'nul \u0000 here' } : { locationId: 'nowhere/at-all' });
      tap(context, tab, 'job.post', args);
      return `posts ${quoted(args.id)} ${isNul ? 'with a character no database holds' : 'in a town that is on no list'}`;
    },
  },
  'posts under a taken id': {
    weight: 1,
    act: (context) => {
      const { tab, device } = context;
      const other = feedJob(context, true);
      if (tab === undefined || other === undefined || other.userId === device.userId) return undefined;
      tap(context, tab, 'job.post', aPost(context, tab, { id: other.id }));
      return `posts under the id of another person’s ${quoted(other.id)}`;
    },
  },
  'posts what breaks the server': {
    weight: 1.5,
    act: (context) => {
      const { tab } = context;
      if (tab === undefined || !isPoisonable(context.world.seed)) return undefined;
      const args = aPost(context, tab, { description: poison });
      tap(context, tab, 'job.post', args);
      return `posts ${quoted(args.id)}, which makes the server throw an unknown error`;
    },
  },
  'edits a job': {
    weight: 12,
    devices: on.doubles,
    act: (context) => {
      const { tab, chance } = context;
      const job = ownJob(context);
      if (tab === undefined || job === undefined) return undefined;
      const isTitle = chance.below(2) === 0;
      const set = isTitle
        ? { title: `T${chance.below(5)}` }
        : { urgency: chance.pick(['slow', 'soon', 'urgent'] as const) };
      tap(context, tab, 'job.edit', {
        id: job.id,
        set,
        base: isTitle ? { title: job.title } : { urgency: job.urgency },
      });
      return `changes the ${isTitle ? 'title' : 'urgency'} of ${quoted(job.id)}`;
    },
  },
  'closes a job': {
    weight: 4,
    devices: on.doubles,
    act: (context) => {
      const job = ownJob(context);
      return context.tab === undefined || job === undefined ? undefined : closeJob(context, context.tab, job);
    },
  },
  'expresses interest': {
    weight: 14,
    devices: on.tradies,
    act: (context) => {
      const { tab, chance } = context;
      const job = feedJob(context, chance.below(5) === 0);
      if (tab === undefined || job === undefined) return undefined;
      tap(context, tab, 'interest.express', { id: tab.newId(), jobId: job.id, note: 'Thursday?' });
      return `expresses interest in ${quoted(job.id)}`;
    },
  },
  'ticks an interest': {
    weight: 3,
    act: (context) => {
      const interest = own<Interest>(context, 'interests', (row) => row.ownerId === context.device.userId);
      if (context.tab === undefined || interest === undefined) return undefined;
      tap(context, context.tab, 'interest.tick', { id: interest.id, contacted: context.chance.below(2) === 0 });
      return 'ticks an interest as contacted, or not';
    },
  },
  'edits the business profile': {
    weight: 4,
    devices: on.tradies,
    act: (context) => {
      const profile = own<Tradie>(context, 'tradies', (row) => row.userId === context.device.userId);
      if (context.tab === undefined || profile === undefined) return undefined;
      const field = context.chance.below(3) === 0 ? 'businessName' : 'description';
      tap(context, context.tab, 'profile.edit', {
        id: profile.id,
        set: { [field]: `${field} ${context.chance.below(4)}` },
        base: { [field]: profile[field] },
      });
      return `edits the ${field} of the business`;
    },
  },
  'cancels what waits': {
    weight: 6,
    act: (context) => {
      const { tab, world, device, chance } = context;
      const waiting = seen(context)?.outbox ?? [];
      if (tab === undefined || waiting.length === 0) return undefined;
      const { uid, name, args } = chance.pick(waiting);
      const group = world.checker.groupOf(device, device.userId);
      const jobId = (args as { id?: string }).id;
      const hangsOnIt = (other: { args: unknown }) =>
        [(other.args as { id?: string }).id, (other.args as { jobId?: string }).jobId].includes(jobId);
      const going = waiting.filter((other) => other.uid === uid || hangsOnIt(other));
      const photos =
        name === 'job.post'
          ? (seen(context)?.photos ?? []).filter((photo) => photo.jobId === jobId).map(({ id }) => id)
          : [];
      for (const id of photos) group.droppedPhotos.add(id);
      // It is cancelled when the disk says so; the history must not lag behind the disk.
      for (const later of going) group.dropping.add(later.uid);
      tab.sync.cancel(uid).then(
        (cancelled) => {
          for (const later of going) group.dropping.delete(later.uid);
          if (cancelled.kind === 'cancelled') for (const gone of cancelled.uids) group.cancelled.add(gone);
          world.counters.count(`cancelling: ${cancelled.kind}`);
        },
        () => group.dropping.clear(),
      );
      return `cancels ${name}`;
    },
  },
  'deals with a rejection': {
    weight: 4,
    act: (context) => {
      const { tab, world, device, chance } = context;
      const refused = seen(context)?.refused ?? [];
      if (tab === undefined || refused.length === 0) return undefined;
      const { uid, name, args } = chance.pick(refused);
      const group = world.checker.groupOf(device, device.userId);
      group.dealtWith.add(uid);
      const again = chance.below(3) === 0;
      if (again) {
        tab.sync.retryRejected(uid).then(
          (queued) => {
            if (queued !== undefined) world.checker.acknowledged(tab, queued.uid);
          },
          (error: unknown) =>
            world.counters.count(
              error instanceof Rejection
                ? `rejected on the device: ${error.code}`
                : 'told that it was not saved: again',
            ),
        );
        return `sends the rejected ${name} again`;
      }
      const jobId = (args as { id?: string }).id;
      for (const photo of seen(context)?.photos ?? []) if (photo.jobId === jobId) group.droppedPhotos.add(photo.id);
      tab.sync.discard(uid).catch(() => world.counters.count('told that it was not saved: discard'));
      return `discards the rejected ${name}`;
    },
  },
  'everybody does something': {
    weight: 5,
    act: (context) => {
      const { world, chance } = context;
      const acts = ['posts a job', 'edits a job', 'expresses interest', 'closes a job', 'ticks an interest'] as const;
      const did = world.devices.map((device) => {
        const tab = device.tabs.find(({ proc, userId }) => proc.state === 'running' && userId === device.userId);
        return people[chance.pick(acts)].act({ ...context, device, tab }) as string | undefined;
      });
      return `all at once: ${did.filter((text) => text !== undefined).join(', ')}`;
    },
  },
  'taps “send now”': {
    weight: 2,
    act: ({ tab }) => {
      tab?.sync.sendNow();
      return tab === undefined ? undefined : 'taps “send now”';
    },
  },
});
