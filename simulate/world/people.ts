import { Dexie } from 'dexie';
import { StorageFull } from '../../app/db/storage-errors.ts';
import type { CompanionWrites } from '../../app/sync/mutate.ts';
import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import type { Interest, Job, Tradie } from '../../shared/tables/index.ts';
import type { Tab } from '../device/device.ts';
import { poison } from '../server/memory-statements.ts';
import { on, steps, type Scene, type Step } from './step.ts';
import { isPoisonable } from './heal.ts';
import { categories, locations } from './world.ts';

/** Errors with which the storage, or the lack of a connection to it, answers: the person is shown that it was not saved. */
const isToldToThePerson = (error: unknown) => error instanceof Dexie.DexieError || error instanceof DOMException || error instanceof StorageFull;

/** The person taps; what the app shows is recorded when it is shown. */
function tap<Name extends MutationName>({ world }: Scene, tab: Tab, name: Name, args: ArgsOf<Name>, companions?: CompanionWrites): void {
  tab.sync.mutate(name, args, companions).then(
    ({ uid }) => world.checker.told(tab, uid),
    (error: unknown) => {
      if (error instanceof Rejection) world.counters.count(`refused on the device: ${error.code}`);
      else if (isToldToThePerson(error)) world.counters.count(`told that it was not saved: ${error instanceof StorageFull ? 'no room' : 'storage failed'}`);
      else world.counters.count(`unforeseen: ${String(error)}`);
    },
  );
}

const seen = (scene: Scene) => scene.world.checker.look(scene.world.checker.groupOf(scene.device, scene.device.userId));
const own = <Row>(scene: Scene, table: 'jobs' | 'interests' | 'tradies', fits: (row: Row) => boolean): Row | undefined => {
  const rows = ((seen(scene)?.privateRows[table] ?? []) as unknown as Row[]).filter(fits);
  return rows.length === 0 ? undefined : scene.chance.pick(rows);
};
const ownJob = (scene: Scene) => own<Job>(scene, 'jobs', (job) => job.userId === scene.device.userId);
const maxPhotos = (scene: Scene) =>
  ((seen(scene)?.privateRows.jobs ?? []) as unknown as Job[]).filter((job) => job.userId === scene.device.userId && job.status === 'active').toSorted((one, other) => other.images.length - one.images.length)[0];
const quoted = (id: string) => `job …${id.slice(-4)}`;

function aPost({ chance }: Scene, tab: Tab, changes: Partial<ArgsOf<'job.post'>> = {}): ArgsOf<'job.post'> {
  return {
    id: tab.newId(), title: `T${chance.below(5)}`, description: 'It sags.', urgency: 'soon',
    locationId: chance.pick(locations), categoryId: chance.pick(categories), ...changes,
  };
}

/** A job in the feed, by the server's rows: the tradie's screen may be older, and that is intended. */
function feedJob({ world, chance }: Scene, isOld: boolean): Job | undefined {
  const jobs = [...(world.backend.committed().get('jobs')?.values() ?? [])] as unknown as Job[];
  const fit = jobs.filter(({ status }) => isOld || status === 'active');
  return fit.length === 0 ? undefined : chance.pick(fit);
}

/** What people do. */
export const people: Record<string, Step> & Record<'posts a job' | 'edits a job' | 'expresses interest' | 'closes a job' | 'ticks an interest', Step> = steps({
  'posts a job': {
    weight: 12,
    act: (scene) => {
      const { tab } = scene;
      if (tab === undefined) return undefined;
      const args = aPost(scene, tab);
      tap(scene, tab, 'job.post', args);
      return `posts ${quoted(args.id)}`;
    },
  },
  'posts a job with photos': {
    weight: 4,
    act: (scene) => {
      const { tab, chance } = scene;
      if (tab === undefined) return undefined;
      const args = aPost(scene, tab);
      const photos = tab.makePhotos(args.id, 1 + chance.below(2));
      tap(scene, tab, 'job.post', args, { photos });
      return `posts ${quoted(args.id)} with ${photos.length} photos`;
    },
  },
  'adds a photo': {
    weight: 7,
    devices: on.doubles,
    act: (scene) => {
      const { tab } = scene;
      // The job that has most photos already, half the time: five is the limit, and two devices reach it together.
      const isToTheFull = scene.chance.below(2) === 0;
      const job = isToTheFull ? maxPhotos(scene) : ownJob(scene);
      if (tab === undefined || job === undefined) return undefined;
      const photos = tab.makePhotos(job.id, isToTheFull ? 3 : 1 + scene.chance.below(3));
      tab.db.photos.bulkPut(photos).then(
        () => tab.photoUploads.wake(),
        () => scene.world.counters.count('told that it was not saved: photo'),
      );
      return `adds ${photos.length} photos to ${quoted(job.id)}`;
    },
  },
  'takes a photo off': {
    weight: 3,
    devices: on.doubles,
    act: (scene) => {
      const { tab, chance } = scene;
      const job = maxPhotos(scene);
      if (tab === undefined || job === undefined || job.images.length === 0) return undefined;
      tap(scene, tab, 'photo.remove', { id: job.id, url: chance.pick(job.images) });
      return `takes a photo off ${quoted(job.id)}`;
    },
  },
  'posts what the server cannot take': {
    weight: 2,
    act: (scene) => {
      const { tab, chance } = scene;
      if (tab === undefined) return undefined;
      const isNul = chance.below(2) === 0;
      const args = aPost(scene, tab, isNul ? { description: 'nul \u0000 here' } : { locationId: 'nowhere/at-all' });
      tap(scene, tab, 'job.post', args);
      return `posts ${quoted(args.id)} ${isNul ? 'with a character no database holds' : 'in a town that is on no list'}`;
    },
  },
  'posts under a taken id': {
    weight: 1,
    act: (scene) => {
      const { tab, device } = scene;
      const other = feedJob(scene, true);
      if (tab === undefined || other === undefined || other.userId === device.userId) return undefined;
      tap(scene, tab, 'job.post', aPost(scene, tab, { id: other.id }));
      return `posts under the id of somebody else’s ${quoted(other.id)}`;
    },
  },
  'posts what breaks the server': {
    weight: 1.5,
    act: (scene) => {
      const { tab } = scene;
      if (tab === undefined || !isPoisonable(scene.world.seed)) return undefined;
      const args = aPost(scene, tab, { description: poison });
      tap(scene, tab, 'job.post', args);
      return `posts ${quoted(args.id)}, on which the server stumbles in a way nobody foresaw`;
    },
  },
  'edits a job': {
    weight: 12,
    devices: on.doubles,
    act: (scene) => {
      const { tab, chance } = scene;
      const job = ownJob(scene);
      if (tab === undefined || job === undefined) return undefined;
      const isTitle = chance.below(2) === 0;
      const set = isTitle ? { title: `T${chance.below(5)}` } : { urgency: chance.pick(['slow', 'soon', 'urgent'] as const) };
      tap(scene, tab, 'job.edit', { id: job.id, set, base: isTitle ? { title: job.title } : { urgency: job.urgency } });
      return `changes the ${isTitle ? 'title' : 'urgency'} of ${quoted(job.id)}`;
    },
  },
  'closes a job': {
    weight: 4,
    devices: on.doubles,
    act: (scene) => {
      const job = ownJob(scene);
      if (scene.tab === undefined || job === undefined) return undefined;
      tap(scene, scene.tab, 'job.close', { id: job.id });
      return `closes ${quoted(job.id)}`;
    },
  },
  'expresses interest': {
    weight: 14,
    devices: on.tradies,
    act: (scene) => {
      const { tab, chance } = scene;
      const job = feedJob(scene, chance.below(5) === 0);
      if (tab === undefined || job === undefined) return undefined;
      tap(scene, tab, 'interest.express', { id: tab.newId(), jobId: job.id, note: 'Thursday?' });
      return `expresses interest in ${quoted(job.id)}`;
    },
  },
  'ticks an interest': {
    weight: 3,
    act: (scene) => {
      const interest = own<Interest>(scene, 'interests', (row) => row.ownerId === scene.device.userId);
      if (scene.tab === undefined || interest === undefined) return undefined;
      tap(scene, scene.tab, 'interest.tick', { id: interest.id, contacted: scene.chance.below(2) === 0 });
      return 'ticks an interest as contacted, or not';
    },
  },
  'edits the business profile': {
    weight: 4,
    devices: on.tradies,
    act: (scene) => {
      const profile = own<Tradie>(scene, 'tradies', (row) => row.userId === scene.device.userId);
      if (scene.tab === undefined || profile === undefined) return undefined;
      const field = scene.chance.below(3) === 0 ? 'businessName' : 'description';
      tap(scene, scene.tab, 'profile.edit', { id: profile.id, set: { [field]: `${field} ${scene.chance.below(4)}` }, base: { [field]: profile[field] } });
      return `edits the ${field} of the business`;
    },
  },
  'cancels what waits': {
    weight: 6,
    act: (scene) => {
      const { tab, world, device, chance } = scene;
      const waiting = seen(scene)?.outbox ?? [];
      if (tab === undefined || waiting.length === 0) return undefined;
      const { uid, name, args } = chance.pick(waiting);
      const group = world.checker.groupOf(device, device.userId);
      const jobId = (args as { id?: string }).id;
      const hangsOnIt = (other: { args: unknown }) => [(other.args as { id?: string }).id, (other.args as { jobId?: string }).jobId].includes(jobId);
      const going = waiting.filter((other) => other.uid === uid || hangsOnIt(other));
      const photos = name === 'job.post' ? (seen(scene)?.photos ?? []).filter((photo) => photo.jobId === jobId).map(({ id }) => id) : [];
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
      return `takes back ${name}`;
    },
  },
  'deals with a refusal': {
    weight: 4,
    act: (scene) => {
      const { tab, world, device, chance } = scene;
      const refused = seen(scene)?.refused ?? [];
      if (tab === undefined || refused.length === 0) return undefined;
      const { uid, name, args } = chance.pick(refused);
      const group = world.checker.groupOf(device, device.userId);
      group.dealtWith.add(uid);
      const again = chance.below(3) === 0;
      if (again) {
        tab.sync.retry(uid).then(
          (queued) => {
            if (queued !== undefined) world.checker.told(tab, queued.uid);
          },
          (error: unknown) => world.counters.count(error instanceof Rejection ? `refused on the device: ${error.code}` : 'told that it was not saved: again'),
        );
        return `sends the refused ${name} again`;
      }
      const jobId = (args as { id?: string }).id;
      for (const photo of seen(scene)?.photos ?? []) if (photo.jobId === jobId) group.droppedPhotos.add(photo.id);
      tab.sync.discard(uid).catch(() => world.counters.count('told that it was not saved: discard'));
      return `lets the refused ${name} go`;
    },
  },
  'everybody does something': {
    weight: 5,
    act: (scene) => {
      const { world, chance } = scene;
      const acts = ['posts a job', 'edits a job', 'expresses interest', 'closes a job', 'ticks an interest'] as const;
      const did = world.devices.map((device) => {
        const tab = device.tabs.find(({ life, userId }) => life.state === 'running' && userId === device.userId);
        return people[chance.pick(acts)].act({ ...scene, device, tab }) as string | undefined;
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
