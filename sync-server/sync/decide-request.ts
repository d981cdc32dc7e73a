import { must } from '../../shared/lib/must.ts';
import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { runMutation, targetOf, type Circumstances } from '../../shared/mutations/run-mutation.ts';
import type { Sql } from '../db/database.ts';
import { sqlTx } from '../store/sql-store.ts';
import type { SyncTx, Verdict } from '../store/sync-store.ts';
import { findUndecided, readOutcomes, settle } from './claims.ts';
import { errorKindOf } from './error-kind.ts';
import { knownFiles } from './known-files.ts';
import { createOrmTx } from './orm-tx.ts';
import { limitJobs } from './limit-jobs.ts';
import { lockActor } from './read-actor.ts';
import { recordEffects } from './record-effects.ts';
import type { SyncParts } from './sync-parts.ts';

export type Step = { [Name in MutationName]: { name: Name; args: ArgsOf<Name> } }[MutationName];

export interface WriteRequest {
  /** Decided once: a repeat under the same uid answers as the first did, one with another intent is rejected. */
  uid: string;
  call: string;
  /** What the caller sent. */
  input: unknown;
  /** The request's mutations, made from the current rows. May reject. */
  plan(sql: Sql): Promise<readonly Step[]> | readonly Step[];
}

/**
 * Decides a request whose caller waits for the answer: all of its mutations or none, in one transaction with the
 * outcome. The REST counterpart of the exchange (S1, S2), without a queue: an error rolls everything back and is
 * thrown.
 *
 * @throws ProfileMissing; whatever the database says.
 */
export function decideRequest(
  { database, clock, findFiles, jobsPerDay, seen }: SyncParts,
  userId: string,
  { uid, call, input, plan }: WriteRequest,
): Promise<Verdict> {
  const reached = seen?.();
  return database.transaction(async (sql) => {
    const tx = sqlTx(sql, findFiles);
    const now = clock();
    const { actor } = await lockActor(tx, userId, reached);
    const mutation = { uid, name: call, args: input, at: now.toISOString() };
    const { undecided, reused } = await findUndecided(tx, userId, [mutation]);
    if (reused.length > 0)
      return refused(new Rejection('uid-reused', 'This Idempotency-Key was used for another request.'));
    if (undecided.length === 0) {
      const [known] = await readOutcomes(tx, userId, [uid]);
      return must(known, 'the outcome of a decided request').outcome;
    }
    const verdict = await decide(tx, () => plan(sql), { actor, now: now.toISOString() }, jobsPerDay);
    await settle(tx, userId, now, [{ mutation, verdict: verdict.outcome }]);
    await recordEffects(tx, { userId, now, mutations: verdict.applied });
    return verdict.outcome;
  });
}

const refused = ({ code, message, fields }: Rejection): Verdict => ({
  status: 'refused',
  code,
  message,
  ...(fields ? { fields: { ...fields } } : {}),
});

async function decide(
  tx: SyncTx,
  plan: () => ReturnType<WriteRequest['plan']>,
  circumstances: Circumstances,
  jobsPerDay: number | undefined,
): Promise<{ outcome: Verdict; applied: readonly Step[] }> {
  const savepoint = await tx.savepoint();
  try {
    const steps = await plan();
    await run(tx, steps, { ...circumstances, files: await knownFiles(tx, steps) }, jobsPerDay);
    await savepoint.release();
    return { outcome: { status: 'applied' }, applied: steps };
  } catch (error) {
    const rejection = error instanceof Rejection ? error : undefined;
    if (rejection === undefined && errorKindOf(error) !== 'data') throw error;
    await savepoint.rollback();
    return {
      outcome: refused(
        rejection ??
          new Rejection('invalid', 'This has characters or a number that can’t be kept. Change it and try again.'),
      ),
      applied: [],
    };
  }
}

async function run(
  tx: SyncTx,
  steps: readonly Step[],
  circumstances: Circumstances,
  jobsPerDay: number | undefined,
): Promise<void> {
  const targets = steps.flatMap(({ name, args }) => targetOf(name, args) ?? []);
  const { id, tradieId } = circumstances.actor;
  const candidates = [id, ...(tradieId === null ? [] : [tradieId]), ...steps.map(({ args }) => args.id)];
  const unit = await createOrmTx(tx, { targets, candidates });
  const verbs = limitJobs(unit.tx, tx, id, jobsPerDay);
  for (const { name, args } of steps) await runMutation(verbs, name, args, circumstances);
  unit.keep();
  await unit.flush();
}
