import type { Deps } from '../deps.ts';
import { pendingMigrations } from '../db/pending-migrations.ts';

/** Milliseconds the database has to answer in; a balancer asks again soon. */
const patience = 2_000;

/** Why this instance cannot serve; empty where it can. Asks anew each time, so it recovers by itself. */
export async function readiness({ database, log }: Pick<Deps, 'database' | 'log'>): Promise<string[]> {
  const { promise: tooLate, resolve } = Promise.withResolvers<string[]>();
  const timer = setTimeout(() => resolve(['the database does not answer in time']), patience);
  const asked = pendingMigrations(database).then(
    (pending) => pending.map((name) => `migration ${name} is not applied`),
    (error: unknown) => {
      log.warn({ err: error }, 'the database does not answer');
      return ['the database does not answer'];
    },
  );
  try {
    return await Promise.race([asked, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
