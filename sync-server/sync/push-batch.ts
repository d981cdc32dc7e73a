import { inTurn } from '../../shared/lib/in-turn.ts';
import type { Actor } from '../../shared/actor.ts';
import { must } from '../../shared/lib/must.ts';
import { isUuid } from '../../shared/lib/uuid.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { madeIn, runMutation, targetOf, type Circumstances } from '../../shared/mutations/run-mutation.ts';
import type { SentMutation } from '../../shared/protocol/exchange.ts';
import type { SyncTx, Verdict } from '../store/sync-store.ts';
import { findUndecided, settle } from './claims.ts';
import { errorKindOf } from './error-kind.ts';
import { knownFiles } from './known-files.ts';
import { createOrmTx, type OrmTx } from './orm-tx.ts';
import { limitJobs } from './limit-jobs.ts';
import { lockActor } from './read-actor.ts';
import { beforeRestore, decideOrHold, linesOf, restoreWait, wasApplied, type Waiting } from './restoring.ts';
import { recordEffects } from './record-effects.ts';
import type { EngineParts } from './sync-parts.ts';

/** A mutation that could not be decided. Nothing of its batch was written. */
export class BatchFailed extends Error {
  override name = 'BatchFailed';
  readonly uid: string;
  constructor(uid: string, cause: unknown) {
    super('a mutation could not be decided', { cause });
    this.uid = uid;
  }
}

/** Ids that the mutation may read: those at the top of its args. */
function idsIn(args: unknown): string[] {
  if (args === null || typeof args !== 'object') return [];
  return Object.values(args).filter((value): value is string => typeof value === 'string' && isUuid(value));
}

const refused = ({ code, message, fields }: Rejection): Verdict => ({
  status: 'refused',
  code,
  message,
  ...(fields ? { fields: { ...fields } } : {}),
});
const unholdable = new Rejection(
  'invalid',
  'This has characters or a number that can’t be kept. Change it and try again.',
);

/** PostgreSQL rejected what all of them wrote together: at least one of them cannot be stored. */
class TurnedDown extends Error {
  override name = 'TurnedDown';
}

/** Whose mutations they are, and where they come from. */
export interface Sender {
  userId: string;
  /** The device's id, where it sends one; by it the stream that it listens to is known. */
  device?: string | undefined;
  /** The business that they were last read to have, by which rows are read ahead; undefined where it is not known. */
  tradieId?: string | null | undefined;
  /** False where the device has not met this timeline yet: it may have something of an earlier one to send first. */
  hasMet?: ((timeline: string) => boolean) | undefined;
}

/** The device has not met the timeline of the database: nothing of it is decided before it has. */
export class TimelineNotMet extends Error {
  override name = 'TimelineNotMet';
}

export interface Pushed {
  /** Those whose uid was used for something else before. */
  reused: SentMutation[];
  waiting: Waiting;
}

/** Hears each verdict, in order, before the next mutation runs. */
type Hear = (mutation: SentMutation, run: () => Promise<Verdict>) => Promise<Verdict>;

type UnitOf = (mutations: readonly SentMutation[]) => Promise<OrmTx>;

type Decide = (
  unitOf: UnitOf,
  mutations: readonly SentMutation[],
  circumstances: Circumstances,
  hear: Hear,
  tx: SyncTx,
) => Promise<Decided>;

interface Decided {
  verdicts: Map<string, Verdict>;
  /** What they write was sent to the store, which has it once this is resolved. */
  written: Promise<void>;
}

/**
 * Decides mutations in their order, in ONE transaction together with their outcomes (S1, S2). Each has a savepoint: in
 * memory while all goes well; where writing them together failed, in the store, in a second transaction, so that only
 * the one it could not store fails.
 *
 * @param before Rows that mutations of the same request wait for.
 * @throws BatchFailed naming the mutation, or whatever BEGIN and COMMIT throw; nothing was written then, or, where the
 * connection was lost while committing, perhaps all. A retry finds out.
 * @throws ProfileMissing; DatabaseRestored; TimelineNotMet
 */
export async function pushBatch(
  parts: EngineParts,
  sender: Sender,
  batch: readonly SentMutation[],
  before: ReadonlySet<string> = new Set(),
): Promise<Pushed> {
  try {
    return await decideBatch(parts, sender, batch, before, together);
  } catch (error) {
    if (!(error instanceof TurnedDown)) throw error;
    return decideBatch(parts, sender, batch, before, oneByOne);
  }
}

function decideBatch(
  { store, clock, jobsPerDay, seen, restoreWaitMs = restoreWait }: EngineParts,
  { userId, device, tradieId, hasMet = () => true }: Sender,
  batch: readonly SentMutation[],
  before: ReadonlySet<string>,
  decide: Decide,
): Promise<Pushed> {
  const reached = seen?.();
  return store.write(async (tx) => {
    const now = clock();
    // Asked together, and carried out in this order: what is read for mutations that turn out to be decided is in vain.
    const [{ actor, restoredAt, timeline }, { undecided, reused }, ahead] = await inTurn(
      lockActor(tx, userId, reached),
      findUndecided(tx, userId, batch),
      decide === together && tradieId !== undefined
        ? createUnit(tx, batch, { id: userId, tradieId }, jobsPerDay)
        : Promise.resolve(undefined),
    );
    if (!hasMet(timeline)) throw new TimelineNotMet();
    const waiting: Waiting = { restoring: [], about: new Set(before) };
    const mayWait = restoredAt !== null && now.getTime() - restoredAt.getTime() < restoreWaitMs;
    if (undecided.length > 0) {
      const files = await knownFiles(tx, undecided);
      const restored = mayWait ? await beforeRestore(tx, undecided, restoreWaitMs, now) : undefined;
      const unitOf: UnitOf = async (mutations) =>
        ahead !== undefined && tradieId === actor.tradieId ? ahead : createUnit(tx, mutations, actor, jobsPerDay);
      const circumstances = { actor, now: now.toISOString(), files, restored };
      const { verdicts, written } = await decide(
        unitOf,
        undecided,
        circumstances,
        (mutation, run) => {
          const isEarlier = restoredAt !== null && mutation.from !== undefined && mutation.from.timeline !== timeline;
          return decideOrHold(waiting, { mayWait, isEarlier, actor }, mutation, run);
        },
        tx,
      );
      const verdictOf = ({ uid }: SentMutation) => must(verdicts.get(uid), 'a verdict');
      const waits = new Set(waiting.restoring.map(({ uid }) => uid));
      const decided = undecided.filter(({ uid }) => !waits.has(uid));
      const becameOf = (mutation: SentMutation) => (waits.has(mutation.uid) ? 'restoring' : verdictOf(mutation).status);
      await inTurn(
        written,
        settle(
          tx,
          userId,
          now,
          decided.map((mutation) => ({ mutation, verdict: verdictOf(mutation) })),
        ),
        tx.noteSentAgain(userId, now, linesOf(undecided, becameOf, device)),
        recordEffects(tx, {
          userId,
          now,
          // People were told then of what the database had applied before it was restored: no mail goes twice.
          mutations: undecided.filter(
            (mutation) => verdicts.get(mutation.uid)?.status === 'applied' && !wasApplied(mutation),
          ),
        }),
      );
    }
    return { reused, waiting };
  });
}

async function createUnit(
  tx: SyncTx,
  mutations: readonly SentMutation[],
  { id, tradieId }: Pick<Actor, 'id' | 'tradieId'>,
  jobsPerDay: number | undefined,
): Promise<OrmTx> {
  const targets = mutations.flatMap(({ name, args }) => targetOf(name, args) ?? []);
  const candidates = mutations.flatMap(({ args }) => idsIn(args));
  const unit = await createOrmTx(tx, {
    targets,
    candidates: [...candidates, id, ...(tradieId === null ? [] : [tradieId])],
    makes: new Set(mutations.flatMap(({ name }) => madeIn(name) ?? [])),
  });
  return { ...unit, tx: limitJobs(unit.tx, tx, id, jobsPerDay) };
}

async function run(
  unit: OrmTx,
  { uid, name, args, from }: SentMutation,
  { restored, ...circumstances }: Circumstances,
): Promise<Verdict> {
  try {
    await runMutation(unit.tx, name, args, wasApplied({ from }) ? { ...circumstances, restored } : circumstances);
    unit.keep();
    return { status: 'applied' };
  } catch (error) {
    unit.discard();
    if (error instanceof Rejection) return refused(error);
    throw new BatchFailed(uid, error);
  }
}

/** All of them over one unit of work. */
async function together(
  unitOf: UnitOf,
  mutations: readonly SentMutation[],
  circumstances: Circumstances,
  hear: Hear,
): Promise<Decided> {
  const verdicts = new Map<string, Verdict>();
  const unit = await unitOf(mutations);
  for (const mutation of mutations)
    verdicts.set(mutation.uid, await hear(mutation, () => run(unit, mutation, circumstances)));
  const written = unit.flush().catch((error: unknown) => {
    if (errorKindOf(error) === 'transient') throw error;
    throw new TurnedDown('the writes were turned down', { cause: error });
  });
  return { verdicts, written };
}

async function oneByOne(
  unitOf: UnitOf,
  mutations: readonly SentMutation[],
  circumstances: Circumstances,
  hear: Hear,
  tx: SyncTx,
): Promise<Decided> {
  const verdicts = new Map<string, Verdict>();
  for (const mutation of mutations)
    verdicts.set(mutation.uid, await hear(mutation, () => runAlone(tx, unitOf, mutation, circumstances)));
  return { verdicts, written: Promise.resolve() };
}

async function runAlone(
  tx: SyncTx,
  unitOf: UnitOf,
  mutation: SentMutation,
  circumstances: Circumstances,
): Promise<Verdict> {
  const savepoint = await tx.savepoint();
  const unit = await unitOf([mutation]);
  let verdict = await run(unit, mutation, circumstances);
  try {
    await unit.flush();
  } catch (error) {
    // What PostgreSQL can never hold is an answer to the person; anything else is an error.
    if (errorKindOf(error) !== 'data') throw new BatchFailed(mutation.uid, error);
    await savepoint.rollback();
    verdict = refused(unholdable);
  }
  await savepoint.release();
  return verdict;
}
