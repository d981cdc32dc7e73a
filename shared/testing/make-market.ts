import { expect } from 'vitest';
import { Rejection } from '../mutations/rejection.ts';
import { makeJob, makeTradie, makeUser } from './make.ts';
import { emptyMemoryRows } from './memory-tx.ts';

/** Rows in memory: a homeowner with an active job, and a tradie with a subscription. */
export function makeMarket() {
  const rows = emptyMemoryRows();
  const owner = makeUser();
  const tradieUser = makeUser({ subscriptionStatus: 'active' });
  const tradie = makeTradie({ userId: tradieUser.id });
  tradieUser.tradieId = tradie.id;
  const job = makeJob({ userId: owner.id });
  rows.jobs.set(job.id, job);
  rows.tradies.set(tradie.id, tradie);
  return { rows, owner, tradieUser, tradie, job };
}

/** What a mutation was rejected with; fails where it was applied, or failed otherwise. */
export async function rejectionOf(attempt: Promise<void>): Promise<Rejection> {
  const thrown: unknown = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(Rejection);
  return thrown as Rejection;
}
