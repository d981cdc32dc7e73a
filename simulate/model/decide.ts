import { isOnLists, isStale, type Act, type Asked, type Law, type Verdict } from './law.ts';
import type { Interest, Job, Person, State, Tradie } from './state.ts';
import { isFields, isId, jobFields, note, photo, profileFields, read, type Fields } from './valid.ts';
import { ownLaws } from './own-laws.ts';

const applied = 'applied';
/** The same code for what is not there and for what belongs to another person. */
const absent = 'not-found';
const maxPhotos = 5;

/** Active or on trial, and not past its date. */
function hasSubscription(
  { subscriptionStatus, subscriptionValidUntil: until }: Person,
  { at: now, isOnDevice = false, restoredAt }: Act,
): boolean {
  // What it had allowed before a restore it still allows where it ran at that time.
  const at = restoredAt?.toISOString() ?? now;
  const isPaid = subscriptionStatus === 'active' || subscriptionStatus === 'trialing';
  return isPaid && (isOnDevice || until === null || Date.parse(until) > Date.parse(at));
}

/** Closed, and not only since a restore of what had come before the closing. */
const isShut = ({ status, closedAt }: Job, { restoredAt }: Act): boolean =>
  status === 'closed' &&
  !(restoredAt !== undefined && closedAt !== null && Date.parse(closedAt) >= restoredAt.getTime());

const ownJob = ({ state, person }: Asked, id: unknown): Job | undefined => {
  const job = state.jobs.get(String(id));
  return job?.userId === person.id ? job : undefined;
};

/** A file by its bucket and path, whatever address it is named by. */
const fileOf = (bucket: string, address: string): string =>
  address.startsWith(`${bucket}/`)
    ? address
    : decodeURIComponent(address.slice(Math.max(0, address.indexOf(`/${bucket}/`) + 1)));

/**
 * Tells whether a file lies in this job's own folder; or below its owner's, where phones of an earlier version put it.
 */
function isOfJob(file: string, { id }: Job, { id: owner }: Person): boolean {
  const [bucket, ...path] = file.split('/');
  const folder = path.slice(0, -1).join('/');
  return (
    bucket === 'job-photos' &&
    !path.some((part) => ['', '.', '..'].includes(part)) &&
    [id, `${owner}/${id}`].includes(folder)
  );
}

const laws: Readonly<Record<string, Law>> = {
  /** Any signed-in person; live at once. The same job again is the same job. */
  'job.post': ({ state, person, act, args }) => {
    const fields = read(jobFields, args, ['title', 'description', 'locationId', 'urgency', 'categoryId']);
    if (!isId(args['id']) || fields === undefined) return 'invalid';
    const there = state.jobs.get(args['id']);
    if (there !== undefined) return there.userId === person.id ? applied : 'already-exists';
    if (!isOnLists(act, fields)) return 'invalid';
    state.jobs.set(args['id'], {
      id: args['id'],
      userId: person.id,
      budgetMin: null,
      budgetMax: null,
      status: 'active',
      images: [],
      interestCount: 0,
      address: null,
      suburb: null,
      createdAt: act.at,
      closedAt: null,
      ...fields,
    } as unknown as Job);
    return applied;
  },

  /** Its owner's, while it is open. */
  'job.edit': (asked) => {
    const { state, act, args } = asked;
    const set = read(jobFields, args['set']);
    if (!isId(args['id']) || set === undefined) return 'invalid';
    const job = ownJob(asked, args['id']);
    if (job === undefined) return absent;
    if (isShut(job, act)) return 'job-closed';
    if (isStale(job as unknown as Fields, set, args['base'])) return 'stale';
    if (!isOnLists(act, set)) return 'invalid';
    state.jobs.set(job.id, { ...job, ...set });
    return applied;
  },

  /** Its owner's; once, and it cannot be opened again. */
  'job.close': (asked) => {
    const job = ownJob(asked, asked.args['id']);
    if (job === undefined) return absent;
    if (job.status !== 'closed') asked.state.jobs.set(job.id, { ...job, status: 'closed', closedAt: asked.act.at });
    return applied;
  },

  /** Up to five, of the job's own, while it is open. */
  'photo.attach': (asked) => {
    const { state, person, act, args } = asked;
    const url = photo(args['url']);
    if (typeof url !== 'string') return 'invalid';
    const job = ownJob(asked, args['jobId']);
    if (job === undefined) return absent;
    const file = fileOf('job-photos', url);
    if (job.images.includes(file)) return applied;
    if (isShut(job, act)) return 'job-closed';
    if (!isOfJob(file, job, person)) return 'foreign-photo';
    if (job.images.length >= maxPhotos) return 'too-many-photos';
    state.jobs.set(job.id, { ...job, images: [...job.images, file] });
    return applied;
  },

  'photo.remove': (asked) => {
    const url = photo(asked.args['url']);
    if (typeof url !== 'string') return 'invalid';
    const job = ownJob(asked, asked.args['id']);
    if (job === undefined) return absent;
    const file = fileOf('job-photos', url);
    if (!job.images.includes(file)) return applied;
    if (isShut(job, asked.act)) return 'job-closed';
    asked.state.jobs.set(job.id, { ...job, images: job.images.filter((image) => image !== file) });
    return applied;
  },

  /** A tradie's with a subscription, in another person's open job. Once expressed it stays, and counts once. */
  'interest.express': ({ state, person, act, args }) => {
    const text = args['note'] === undefined ? '' : note(args['note']);
    if (!isId(args['id']) || typeof text !== 'string') return 'invalid';
    const job = state.jobs.get(String(args['jobId']));
    if (job === undefined || person.tradieId === null || job.userId === person.id) return absent;
    const mine = state.interests
      .values()
      .find(({ jobId, tradieId }) => jobId === job.id && tradieId === person.tradieId);
    if (mine !== undefined)
      return mine.id === args['id'] || text === '' || text === mine.note ? applied : 'already-exists';
    if (!hasSubscription(person, act)) return 'subscription-required';
    if (isShut(job, act)) return 'job-closed';
    const { id: userId, tradieId } = person;
    state.interests.set(args['id'], {
      id: args['id'],
      jobId: job.id,
      tradieId,
      userId,
      ownerId: job.userId,
      note: text,
      contactedAt: null,
      ownerNote: null,
      seenAt: null,
      isSeen: false,
      createdAt: act.at,
    } satisfies Interest);
    state.jobs.set(job.id, { ...job, interestCount: job.interestCount + 1 });
    return applied;
  },

  /** "I have contacted them": for the owner of the job; the first tick sets the time. */
  'interest.tick': ({ state, person, act, args }) => {
    if (typeof args['contacted'] !== 'boolean') return 'invalid';
    const interest = state.interests.get(String(args['id']));
    if (interest === undefined || interest.ownerId !== person.id) return absent;
    if ((interest.contactedAt !== null) !== args['contacted'])
      state.interests.set(interest.id, { ...interest, contactedAt: args['contacted'] ? act.at : null });
    return applied;
  },

  /** Opened by the owner: the first time counts. The tradie learns it, unless the owner has chosen otherwise. */
  'interest.see': ({ state, person, act, args }) => {
    const interest = state.interests.get(String(args['id']));
    if (interest === undefined || interest.ownerId !== person.id) return absent;
    const isSeen = state.preferences.get(person.id)?.tellsSeen ?? true;
    if (interest.seenAt === null) state.interests.set(interest.id, { ...interest, seenAt: act.at, isSeen });
    return applied;
  },

  /** The owner's own. */
  'interest.note': ({ state, person, args }) => {
    const set = read({ ownerNote: (given) => (given === null ? null : note(given)) }, args['set'], ['ownerNote']);
    if (set === undefined || !isFields(args['base'])) return 'invalid';
    const interest = state.interests.get(String(args['id']));
    if (interest === undefined || interest.ownerId !== person.id) return absent;
    if (isStale(interest as unknown as Fields, set, args['base'])) return 'stale';
    const text = set['ownerNote'] as string | null;
    state.interests.set(interest.id, { ...interest, ownerNote: text === '' ? null : text });
    return applied;
  },

  ...ownLaws,

  /** A tradie's own. A new name resets the verification, which was of the old one. */
  'profile.edit': ({ state, person, act, args }) => {
    const set = read(profileFields, args['set']);
    if (set === undefined) return 'invalid';
    const tradie = state.tradies.get(String(args['id']));
    if (tradie?.userId !== person.id) return absent;
    if (isStale(tradie, set, args['base'])) return 'stale';
    if (!isOnLists(act, set)) return 'invalid';
    const isRenamed = set['businessName'] !== undefined && set['businessName'] !== tradie.businessName;
    state.tradies.set(tradie.id, { ...tradie, ...set, ...(isRenamed ? { isVerified: false } : {}) } as Tradie);
    return applied;
  },
};

/** Every mutation that this model decides. */
export const modelledMutations: readonly string[] = Object.keys(laws);

/** Decides one act, and changes the state where it is applied; a rejection changes nothing. */
export function decide(state: State, act: Act): Verdict {
  const law = laws[act.name];
  if (law === undefined || !Object.hasOwn(laws, act.name)) return 'unknown-mutation';
  if (!isFields(act.args)) return 'invalid';
  const person = state.users.get(act.by) ?? {
    id: act.by,
    tradieId: null,
    subscriptionStatus: null,
    subscriptionValidUntil: null,
  };
  return law({ state, person, act, args: act.args });
}
