import type { Interest, Search } from '../../shared/tables/index.ts';
import { feedJob, own } from './people.ts';
import { tap } from './tap.ts';
import { on, quoted, steps, type StepContext } from './step.ts';
import { categories } from './world.ts';

export const ownSearch = (context: StepContext) =>
  own<Search>(context, 'searches', ({ userId, removedAt }) => userId === context.device.userId && removedAt === null);
const received = (context: StepContext) =>
  own<Interest>(context, 'interests', ({ ownerId }) => ownerId === context.device.userId);
const anInstant = ({ chance }: StepContext) => new Date(Date.UTC(2027, 0, 1 + chance.below(20))).toISOString();

/** What people note for themselves, and homeowners of those who answered. */
export const ownRows = steps({
  'marks a job': {
    weight: 6,
    devices: on.tradies,
    act: (context) => {
      const { tab, chance } = context;
      const job = feedJob(context, chance.below(4) === 0);
      if (tab === undefined || job === undefined) return undefined;
      const isHiding = chance.below(2) === 0;
      const isOn = chance.below(3) > 0;
      const remindAt = chance.below(2) === 0 ? anInstant(context) : null;
      tap(context, tab, 'job.mark', {
        id: tab.newId(),
        jobId: job.id,
        title: job.title,
        ...(isHiding ? { hidden: isOn } : { shortlisted: isOn, remindAt }),
      });
      return `${isHiding ? 'hides' : 'shortlists'} ${quoted(job.id)}, or takes that back`;
    },
  },
  'saves a search': {
    weight: 3,
    devices: on.tradies,
    act: (context) => {
      const { tab, world, chance } = context;
      if (tab === undefined) return undefined;
      tap(context, tab, 'search.save', {
        id: tab.newId(),
        name: `S${chance.below(5)}`,
        categoryIds: [chance.pick(categories)],
        region: null,
        locationId: chance.pick(world.geography.towns).id,
        withinKm: chance.below(2) === 0 ? null : 40,
        maxBudget: chance.below(2) === 0 ? null : 5_000,
        urgencies: [],
        words: '',
      });
      return 'saves a search';
    },
  },
  'changes a saved search': {
    weight: 5,
    devices: on.doubles,
    act: (context) => {
      const { tab, chance } = context;
      const search = ownSearch(context);
      if (tab === undefined || search === undefined) return undefined;
      const { id } = search;
      const other = ownSearch(context);
      const kind = chance.below(5);
      if (kind === 0) tap(context, tab, 'search.remove', { id });
      else if (kind === 1) tap(context, tab, 'search.move', { id, before: other?.id ?? null });
      else if (kind === 2) tap(context, tab, 'search.look', { id, until: anInstant(context) });
      else
        tap(context, tab, 'search.edit', {
          id,
          set: { name: `S${chance.below(5)}` },
          base: { name: search.name },
        });
      return `${['deletes', 'moves', 'looks at'][kind] ?? 'renames'} a saved search`;
    },
  },
  'prepares a note': {
    weight: 3,
    devices: on.tradies,
    act: (context) => {
      const { tab, chance, device } = context;
      if (tab === undefined) return undefined;
      const [text, other] = [`Note ${chance.below(14)}`, `Note ${chance.below(14)}`];
      const kind = chance.below(4);
      tap(context, tab, 'note.prepare', {
        id: device.userId,
        ...(kind === 3 ? {} : { add: text }),
        ...(kind < 2 ? {} : { remove: other }),
      });
      return 'adds, replaces or takes out a prepared note';
    },
  },
  'opens an interest': {
    weight: 4,
    act: (context) => {
      const interest = received(context);
      if (context.tab === undefined || interest === undefined) return undefined;
      tap(context, context.tab, 'interest.see', { id: interest.id });
      return 'opens an interest';
    },
  },
  'writes a note on a tradie': {
    weight: 2,
    act: (context) => {
      const { tab, chance } = context;
      const interest = received(context);
      if (tab === undefined || interest === undefined) return undefined;
      tap(context, tab, 'interest.note', {
        id: interest.id,
        set: { ownerNote: chance.pick([null, '', 'Rang, no answer', 'Comes on Monday']) },
        base: { ownerNote: interest.ownerNote },
      });
      return 'writes a note on a tradie';
    },
  },
  'chooses how to be told of news': {
    weight: 1,
    act: (context) => {
      const { tab, chance, device } = context;
      if (tab === undefined) return undefined;
      const choice = chance.pick([
        { pushJobs: false },
        { mailJobs: 'now' as const },
        { quietFrom: 22, quietTo: 6 },
        { alertsPerDay: 3 },
      ]);
      tap(context, tab, 'alerts.choose', { id: device.userId, choice });
      return 'chooses how to be told of news';
    },
  },
  'says whether tradies learn what was seen': {
    weight: 1,
    act: (context) => {
      const { tab, chance, device } = context;
      if (tab === undefined) return undefined;
      tap(context, tab, 'seen.tell', { id: device.userId, tells: chance.below(2) === 0 });
      return 'says whether tradies learn what was seen';
    },
  },
});
