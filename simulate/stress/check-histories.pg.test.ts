import { randomUUID } from 'node:crypto';
import { sql as rawSql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Delta, ExchangeRequest, SentMutation } from '../../shared/protocol/exchange.ts';
import { exchangeAnswerSchema } from '../../shared/protocol/exchange.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { seedReference } from '../../sync-server/db/seed/seed-reference.ts';
import { createSqlStore } from '../../sync-server/store/sql-store.ts';
import { createExchange, type Exchange } from '../../sync-server/sync/exchange.ts';
import { recordHistory } from './audit.ts';
import { createLoad } from './load.ts';
import { checkHistories } from './check-histories.ts';
import { openStressDatabase, type StressDatabase } from './stress-database.ts';

let harness: StressDatabase;
beforeEach(async () => {
  harness = await openStressDatabase();
  await seedReference(harness.database);
  await recordHistory(harness.database.sql);
});
afterEach(() => harness.close());

type Double = (honest: Exchange, person: { userId: string }, request: ExchangeRequest) => ReturnType<Exchange>;

/** Devices run some rounds against this server, then the checker runs. */
async function checked(double: Double): Promise<string[]> {
  const { database } = harness;
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const honest = createExchange({ store: createSqlStore(database), clock: () => new Date(), log: silent });
  const members = await createLoad({
    database,
    people: 3,
    seed: 7,
    askAs: (userId) =>
      Promise.resolve(async (wanted) => {
        const request = {
          protocol: protocolVersion,
          schema: schemaVersion,
          userId,
          cookie: null,
          shelves: {},
          mutations: [],
          awaiting: [],
          ...wanted,
        };
        const answer: unknown = JSON.parse(JSON.stringify(await double(honest, { userId }, request)));
        return exchangeAnswerSchema.parse(answer);
      }),
  });
  for (let round = 0; round < 12; round += 1)
    for (const { device, person } of members) {
      for (let tap = 0; tap < 3; tap += 1) person.tap();
      await device.exchange();
    }
  for (let round = 0; round < 3; round += 1) for (const { device } of members) await device.exchange();
  return checkHistories(
    database.sql,
    members.map(({ device }) => device),
  );
}

const posts = (mutations: readonly SentMutation[]) => mutations.filter(({ name }) => name === 'job.post');

describe('the checker of the stress run', () => {
  it('finds nothing wrong with the real exchange', async () => {
    expect(await checked((honest, person, request) => honest(person, request))).toEqual([]);
  });

  it('catches a server that answers and forgets', async () => {
    const faults = await checked(async (honest, person, request) => {
      const forgotten = posts(request.mutations).slice(1);
      const answer = (await honest(person, {
        ...request,
        mutations: request.mutations.filter((mutation) => !forgotten.includes(mutation)),
      })) as Delta;
      return {
        ...answer,
        outcomes: [...answer.outcomes, ...forgotten.map(({ uid }) => ({ uid, status: 'applied' as const }))],
      };
    });
    expect(faults.join('\n')).toMatch(/lost: job\.post .* is not in the book/);
    expect(faults.join('\n')).toMatch(/acknowledged before its effect was here/);
  });

  it('catches a database that loses what it has committed', async () => {
    let isNext = true;
    const faults = await checked(async (honest, person, request) => {
      const answer = await honest(person, request);
      const [first] = posts(request.mutations);
      if (first !== undefined && isNext) {
        isNext = false;
        await rawSql`delete from jobs where title = ${first.uid}`.execute(harness.database.sql);
        await rawSql`delete from sync_mutation where uid = ${first.uid}::uuid`.execute(harness.database.sql);
        await rawSql`delete from stress_book where mark = ${first.uid}`.execute(harness.database.sql);
      }
      return answer;
    });
    expect(faults.join('\n')).toMatch(/lost: job\.post/);
    expect(faults.join('\n')).toMatch(/acknowledged before it was committed/);
  });

  it('catches a server that does not look at uids', async () => {
    const faults = await checked(async (honest, person, request) => {
      const answer = await honest(person, request);
      const again = posts(request.mutations).map(({ args, ...sent }) => ({
        ...sent,
        uid: randomUUID(),
        args: { ...(args as object), id: makeTestId() },
      }));
      if (again.length > 0) await honest(person, { ...request, cookie: null, mutations: again, awaiting: [] });
      return answer;
    });
    expect(faults.join('\n')).toMatch(/doubled: job\.post/);
  });

  it('catches a server that acknowledges before it commits', async () => {
    const behind: Promise<unknown>[] = [];
    let gate: Promise<unknown> = Promise.resolve();
    const faults = await checked(async (honest, person, request) => {
      await gate;
      const answer = (await honest(person, { ...request, mutations: [] })) as Delta;
      // The server decides it only when the next request comes.
      if (request.mutations.length > 0) behind.push((gate = honest(person, { ...request, awaiting: [] })));
      return {
        ...answer,
        outcomes: [...answer.outcomes, ...request.mutations.map(({ uid }) => ({ uid, status: 'applied' as const }))],
      };
    });
    await Promise.all(behind);
    expect(faults.join('\n')).toMatch(/acknowledged before its effect was here/);
  });

  it('catches a server that decides them in another order', async () => {
    const faults = await checked((honest, person, request) =>
      honest(person, { ...request, mutations: request.mutations.toReversed() }),
    );
    expect(faults.join('\n')).toMatch(/out of order/);
  });

  it('catches a delta that leaves something out', async () => {
    let left = 0;
    const faults = await checked(async (honest, person, request) => {
      const answer = await honest(person, request);
      if (answer.kind !== 'delta' || answer.puts.jobs === undefined || request.mutations.length > 0) return answer;
      left += 1;
      return { ...answer, puts: { ...answer.puts, jobs: answer.puts.jobs.slice(1) } };
    });
    expect(left).toBeGreaterThan(0);
    expect(faults.join('\n')).toMatch(/misses \d+ rows/);
  });
});
