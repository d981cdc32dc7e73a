import type { Actor } from '../../shared/actor.ts';
import { must } from '../../shared/lib/must.ts';
import { hour } from '../../shared/lib/durations.ts';
import { filesOf, rowsOf, targetOf, type Restored } from '../../shared/mutations/run-mutation.ts';
import type { RejectionCode } from '../../shared/mutations/rejection.ts';
import type { SentMutation } from '../../shared/protocol/exchange.ts';
import type { SentAgain, SyncTx, Verdict } from '../store/sync-store.ts';

/** Milliseconds after a restore in which a mutation waits for what another device may bring back. */
export const restoreWait = 72 * hour;

/** What another device, a payment's event or the next day may bring back. */
const mayComeBack: ReadonlySet<string> = new Set([
  'not-found',
  'file-missing',
  'subscription-required',
  'too-many-jobs',
] satisfies RejectionCode[]);

/** What an earlier change may put right that another phone of the same person has, or that waits for its picture. */
const mayComeInOrder: ReadonlySet<string> = new Set([
  'stale',
  'too-many-photos',
  'too-many-searches',
  'too-many-notes',
] satisfies RejectionCode[]);

export interface Restoring {
  uid: string;
  /** What is missing, as the rejection would say. */
  code: string;
}

/** The mutations of one request that wait for what a restore has lost. */
export interface Waiting {
  readonly restoring: Restoring[];
  /**
   * Rows that those are about, or make, and files that they name: what the same person made of one of them later waits
   * with them.
   */
  readonly about: Set<string>;
}

export const noneWaiting = (): Waiting => ({ restoring: [], about: new Set() });

/**
 * Does this rejection wait instead of being an answer (S13)? Where the mutation is of an earlier timeline, or about a
 * row that one before it waits for. One for the sake of the order only where the mutation had been applied, or stands
 * behind one that waits: of any other, the person is asked at once.
 */
function isRestoring(mutation: SentMutation, { status, code }: Verdict, { about }: Waiting): boolean {
  if (status !== 'refused' || code === undefined) return false;
  const isBehind = rowsOf(mutation).some((id) => about.has(id));
  if (mayComeInOrder.has(code)) return wasApplied(mutation) || isBehind;
  if (!mayComeBack.has(code) || (code === 'file-missing' && mutation.from?.fileGone)) return false;
  return mutation.from !== undefined || isBehind;
}

/**
 * The photo waits, so there is nothing to take off its job yet: decided now, the removal would be over before the photo
 * comes.
 */
const isHeld = ({ name, args }: SentMutation, { about }: Waiting): boolean =>
  name === 'photo.remove' && filesOf(name, args).some((file) => about.has(file));

/** The device says that the server had applied it, in an earlier timeline. */
export const wasApplied = ({ from }: Pick<SentMutation, 'from'>): boolean => from?.version !== undefined;

/**
 * What was so before the restore, for what had been applied then. Closed since is what has changed since, by the order
 * of commits: no two clocks are compared. A closed job does not change, but for its closing; one that this transaction
 * closes is not among the commits yet. Where other timelines began within `waitMs`, as with a fail-over soon after a
 * restore, the first of them counts. Of one whose point is not known the versions of its own do.
 */
export async function beforeRestore(
  tx: SyncTx,
  mutations: readonly SentMutation[],
  waitMs: number,
  now: Date,
): Promise<Restored> {
  const late = (await tx.readTimelines()).filter(({ beganAt }) => now.getTime() - beganAt.getTime() < waitMs);
  const [begun] = late.toSorted((one, other) => one.beganAt.getTime() - other.beganAt.getTime());
  const { point, first, beganAt } = must(begun, 'the timeline that began late enough to wait for');
  const targets = mutations.filter(wasApplied).flatMap(({ name, args }) => targetOf(name, args) ?? []);
  const jobs = targets.flatMap(({ table, id }) => (table === 'jobs' ? id.toLowerCase() : []));
  const changed =
    jobs.length === 0 ? new Set<string>() : await tx.changedAfter('jobs', jobs, point === '0' ? first : point);
  return {
    at: beganAt.toISOString(),
    wasOpen: ({ id, closedAt }) => changed.has(id) || closedAt === now.toISOString(),
  };
}

/**
 * Why something of an earlier timeline could not come back: it is not that its person has been shut out, or that it was
 * never sent.
 */
const whyNot: { readonly [Code in RejectionCode]?: string } = {
  'not-found': 'Dwang was put back to an earlier copy, and what this is about never came back.',
  'subscription-required':
    'Dwang was put back to an earlier copy, and your subscription has ended since this was sent. It was not sent again.',
};

const ofEarlier = (mutation: SentMutation, verdict: Verdict): Verdict => {
  const why = verdict.code === 'not-found' || wasApplied(mutation) ? whyNot[verdict.code as RejectionCode] : undefined;
  return why === undefined ? verdict : { ...verdict, message: why };
};

const pictureLost = 'Dwang was put back to an earlier copy, and this picture was lost. Choose it again.';

/**
 * Of an earlier timeline, and without its file: it has to be chosen again. Where the file has left the phone that made
 * it, no phone brings it, so that is the answer at once, whatever the file was built on.
 */
function ofFile({ from }: SentMutation, verdict: Verdict): Verdict {
  const { status, code } = verdict;
  if (from === undefined || status !== 'refused') return verdict;
  if (code === 'file-missing') return { ...verdict, message: pictureLost };
  return from.fileGone && code === 'stale' ? { status, code: 'file-missing', message: pictureLost } : verdict;
}

/**
 * Gives the mutation's verdict, which `run` finds, and notes where it waits instead. `mayWait`: the restore is not long
 * ago. `isEarlier`: the mutation is of a timeline before the one that began with the restore. `actor`: whose it is.
 */
export async function decideOrHold(
  waiting: Waiting,
  { mayWait, isEarlier, actor }: { mayWait: boolean; isEarlier: boolean; actor: Actor },
  mutation: SentMutation,
  run: () => Promise<Verdict>,
): Promise<Verdict> {
  const verdict: Verdict =
    mayWait && isHeld(mutation, waiting)
      ? { status: 'refused', code: 'file-missing', message: '' }
      : ofFile(mutation, await run());
  const replaced = isEarlier ? ofReplaced(mutation, verdict, actor) : undefined;
  if (replaced !== undefined) return replaced;
  if (mayWait && isRestoring(mutation, verdict, waiting)) {
    waiting.restoring.push({ uid: mutation.uid, code: verdict.code ?? '' });
    for (const one of [...rowsOf(mutation), ...filesOf(mutation.name, mutation.args)]) waiting.about.add(one);
  }
  return isEarlier ? ofEarlier(mutation, verdict) : verdict;
}

const filledInAnew =
  'Dwang was put back to an earlier copy, and you have filled in your business anew since. Change it there, if this is still wanted.';

/**
 * An edit of a business that its person has replaced since the restore: no phone and no payment brings that one back.
 */
function ofReplaced({ name, args, from }: SentMutation, verdict: Verdict, { tradieId }: Actor): Verdict | undefined {
  const isReplaced =
    name === 'profile.edit' && from !== undefined && tradieId !== null && (args as { id: string }).id !== tradieId;
  return isReplaced && verdict.code === 'not-found' ? { ...verdict, message: filledInAnew } : undefined;
}

/** The operator's line on each that came from an earlier timeline. */
export function linesOf(
  mutations: readonly SentMutation[],
  becameOf: (mutation: SentMutation) => SentAgain['became'],
  device: string | undefined,
): SentAgain[] {
  return mutations.flatMap((mutation) =>
    mutation.from === undefined
      ? []
      : [{ uid: mutation.uid, name: mutation.name, from: mutation.from, became: becameOf(mutation), device }],
  );
}
