import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import type { Job } from '../../shared/tables/index.ts';
import type { OutboxEntry } from '../db/person-db.ts';

type Entry = Pick<OutboxEntry, 'name' | 'args'> & { readonly base?: OutboxEntry['base'] };

interface MutationWords<Args> {
  /** The toast when the server has accepted; null where the screen says enough. */
  readonly accepted: { readonly title: string; readonly description?: string } | null;
  /** Its name while it waits; `jobTitle` of the job it is about, where known. */
  title(args: Args, jobTitle: string | undefined): string;
  /** The job it is about, where it is about one. */
  jobId(args: Args): string | undefined;
  /** Everything in it that a person typed, for Copy text. */
  typed(args: Args): readonly (string | undefined)[];
  /** The app notes it by itself: the person asked for nothing, so none of it is shown as waiting. */
  readonly isUnasked?: true;
}

const quoted = (title: string | undefined) => (title === undefined || title === '' ? '' : ` “${title}”`);
const about = (jobTitle: string | undefined) => (jobTitle === undefined ? 'a job' : `“${jobTitle}”`);

/** The texts of each mutation. A new mutation does not compile without its entry. */
const wordsByName: { readonly [Name in MutationName]: MutationWords<ArgsOf<Name>> } = {
  'job.post': {
    accepted: {
      title: 'Job Posted!',
      description: 'Your job has been posted successfully. Tradies can now express interest.',
    },
    title: ({ title }) => `New job${quoted(title)}`,
    jobId: ({ id }) => id,
    typed: ({ title, description }) => [title, description],
  },
  'job.edit': {
    accepted: { title: 'Job Updated!' },
    title: ({ set }, jobTitle) => `Changes to ${jobTitle === undefined ? `job${quoted(set.title)}` : about(jobTitle)}`,
    jobId: ({ id }) => id,
    typed: ({ set }) => [set.title, set.description],
  },
  'job.close': {
    accepted: { title: 'Job closed', description: 'This job has been marked as closed.' },
    title: (_args, jobTitle) => `Closing ${about(jobTitle)}`,
    jobId: ({ id }) => id,
    typed: () => [],
  },
  'photo.attach': {
    accepted: null,
    title: (_args, jobTitle) => `A photo for ${about(jobTitle)}`,
    jobId: ({ jobId }) => jobId,
    typed: () => [],
  },
  'photo.remove': {
    accepted: null,
    title: () => 'Removing a photo',
    jobId: ({ id }) => id,
    typed: () => [],
  },
  'interest.express': {
    accepted: {
      title: 'Interest expressed',
      description: 'The homeowner will be able to see your details and contact you.',
    },
    title: (_args, jobTitle) => `Your interest in ${about(jobTitle)}`,
    jobId: ({ jobId }) => jobId,
    typed: ({ note }) => [note],
  },
  'interest.tick': {
    accepted: null,
    title: () => 'Your “contacted” tick',
    jobId: () => undefined,
    typed: () => [],
  },
  'interest.see': {
    accepted: null,
    title: () => 'That you have seen a tradie’s interest',
    jobId: () => undefined,
    typed: () => [],
    isUnasked: true,
  },
  'interest.note': {
    accepted: null,
    title: () => 'Your note on a tradie',
    jobId: () => undefined,
    typed: ({ set }) => [set.ownerNote ?? undefined],
  },
  'job.mark': {
    accepted: null,
    title: ({ hidden, shortlisted, title }, jobTitle) =>
      hidden === undefined
        ? `${shortlisted === false ? 'Taking off your shortlist' : 'Your shortlist'}: ${about(jobTitle ?? title)}`
        : `${hidden ? 'Hiding' : 'Showing'} ${about(jobTitle ?? title)}`,
    // It changes nothing of the job: a job that is hidden is not "Saved on this phone".
    jobId: () => undefined,
    typed: () => [],
  },
  'search.save': {
    accepted: null,
    title: ({ name }) => `Saved search${quoted(name)}`,
    jobId: () => undefined,
    typed: ({ name, words }) => [name, words],
  },
  'search.edit': {
    accepted: null,
    title: ({ set }) => `Changes to a saved search${quoted(set.name)}`,
    jobId: () => undefined,
    typed: ({ set }) => [set.name, set.words],
  },
  'search.move': {
    accepted: null,
    title: () => 'The order of your saved searches',
    jobId: () => undefined,
    typed: () => [],
  },
  'search.look': {
    accepted: null,
    title: () => 'That you have looked at a saved search',
    jobId: () => undefined,
    typed: () => [],
    isUnasked: true,
  },
  'search.remove': {
    accepted: null,
    title: () => 'Deleting a saved search',
    jobId: () => undefined,
    typed: () => [],
  },
  'note.prepare': {
    accepted: null,
    title: ({ add }) => (add === undefined ? 'Taking out a prepared note' : 'A prepared note'),
    jobId: () => undefined,
    typed: ({ add }) => [add],
  },
  'alerts.choose': {
    accepted: null,
    title: () => 'How you are told of news',
    jobId: () => undefined,
    typed: () => [],
  },
  'seen.tell': {
    accepted: null,
    title: ({ tells }) => (tells ? 'Telling tradies what you have seen' : 'Not telling tradies what you have seen'),
    jobId: () => undefined,
    typed: () => [],
  },
  'profile.edit': {
    accepted: { title: 'Profile Updated' },
    title: () => 'Changes to your profile',
    jobId: () => undefined,
    typed: ({ set }) => [
      set.businessName,
      set.contactPersonFirstName,
      set.contactPersonLastName,
      set.contactPhone,
      set.businessAddress,
      set.description,
    ],
  },
};

/** Undefined for a mutation of a newer version of the app, which this one replaced when the server was set back. */
function wordsOf({ name }: Pick<Entry, 'name'>): MutationWords<unknown> | undefined {
  return Object.hasOwn(wordsByName, name) ? (wordsByName[name] as MutationWords<unknown>) : undefined;
}

/**
 * The toast for an accepted mutation; undefined where there is none. It may be shown only once the server has
 * accepted.
 */
export function acceptedToast(name: MutationName): NonNullable<MutationWords<unknown>['accepted']> | undefined {
  return wordsOf({ name })?.accepted ?? undefined;
}

/** The job that an entry is about as it was when the entry was made: also where it has left this device since. */
export function keptJob({ base }: Pick<Entry, 'base'>): Job | undefined {
  return base?.find(({ table }) => table === 'jobs')?.row as Job | undefined;
}

/** Whether the person knows of it: of what the app notes by itself, none is shown. */
export function isAsked(entry: Pick<Entry, 'name'>): boolean {
  return wordsOf(entry)?.isUnasked !== true;
}

/**
 * The name of a waiting mutation: `New job “Fix the gate”`. `jobTitle`: of the job it is about, as it is called now.
 */
export function mutationWords(entry: Entry, jobTitle?: string): string {
  return wordsOf(entry)?.title(entry.args, jobTitle ?? keptJob(entry)?.title) ?? 'A change';
}

/** The job an entry is about, where it is about one. */
export function jobOf(entry: Entry): string | undefined {
  return wordsOf(entry)?.jobId(entry.args);
}

/** All the text that was typed into it, for Copy text: nothing written may be out of reach. */
export function mutationText(entry: Entry): string {
  const typed = wordsOf(entry)?.typed(entry.args) ?? [];
  return typed.filter((text) => text !== undefined && text !== '').join('\n\n');
}
