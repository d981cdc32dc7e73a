import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callNames, calls, type CallName } from '../../shared/api/index.ts';
import { openCallsHarness, type CallsHarness, type Role } from '../testing/calls-harness.ts';
import { malformedBodies, malformedIds, malformedQueries } from '../testing/malformed-bodies.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { examples } from './examples.ts';

/** Who may make the call, so that a body gets as far as it can. */
type Member = Exclude<Role, 'anonymous' | 'admin'>;
const asker: { readonly [Name in CallName]?: Member } = {
  'users.create': 'newcomer',
  'tradies.edit': 'owningTradie',
  'jobs.express': 'activeTradie',
  'billing.checkout': 'homeowner',
};
const seed = Number(process.env['ODD_SEED'] ?? 20_261_121);
const numRuns = process.env['TEST_LONG'] === '1' ? 150 : 50;
const writes = callNames.filter((name) => calls[name].method !== 'GET');
const reads = callNames.filter((name) => calls[name].method === 'GET');

describe.each(usualDatabase)(`nothing that is sent breaks anything on %s (ODD_SEED=${seed})`, (kind) => {
  let harness: CallsHarness;
  beforeAll(async () => {
    harness = await openCallsHarness(kind);
  });
  afterAll(() => harness.close());

  /** What people had when it was last looked at; undefined once something may have been written since. */
  let standing: string | undefined;
  const before = async () => (standing ??= await harness.digest());
  const mustHaveWrittenNothing = async (): Promise<void> => {
    expect(await harness.digest()).toBe(standing);
  };
  /** A job that no call has changed yet: made anew only once the one before was changed. */
  const unused = new Map<'active' | 'closed', string>();
  async function jobOf(status: 'active' | 'closed'): Promise<string> {
    const id = unused.get(status) ?? (await harness.makeJobOf({ status })).id;
    if (!unused.has(status)) standing = undefined;
    unused.set(status, id);
    return id;
  }
  beforeEach(() => void (standing = undefined));

  test.each(writes)(
    '%s takes any body: an answer in the one shape, and an error writes nothing [§settled]',
    async (name) => {
      const role = asker[name] ?? 'owner';
      const { body: right = {} } = examples[name] as { body?: Record<string, unknown> };
      const body = 'email' in right ? { ...right, email: harness.people[role].email } : right;
      const statuses = new Set<number>();
      await fc.assert(
        fc.asyncProperty(malformedBodies(body), fc.boolean(), async (text, isNew) => {
          const id =
            name === 'tradies.edit'
              ? harness.profile.id
              : await jobOf(isNew || name === 'jobs.express' ? 'active' : 'closed');
          await before();
          // `ask` checks a success against the call's schema, and a failure against that of problems.
          const { status } = await harness.ask(role, name, { id, body: text });
          statuses.add(status);
          expect(status).toBeLessThan(500);
          if (status >= 400) await mustHaveWrittenNothing();
          else {
            standing = undefined;
            unused.clear();
          }
        }),
        { seed, numRuns },
      );
      // Some reached the call itself, and some were rejected.
      expect([...statuses]).toEqual(
        expect.arrayContaining([400, ...(name === 'billing.portal' ? [] : [calls[name].status])]),
      );
    },
  );

  test.each(callNames.filter((name) => calls[name].path.includes(':id')))('%s takes any id', async (name) => {
    await before();
    await fc.assert(
      fc.asyncProperty(malformedIds, async (id) => {
        const { status } = await harness.ask(asker[name] ?? 'owner', name, {
          id,
          body: calls[name].method === 'GET' ? undefined : examples[name].body,
        });
        expect(status).toBe(404);
      }),
      { seed, numRuns: Math.ceil(numRuns / 2.5) },
    );
    await mustHaveWrittenNothing();
  });

  test.each(reads)('%s takes any query, token, validator and key', async (name) => {
    const headers = fc.record(
      {
        'if-none-match': fc.string({ maxLength: 80 }),
        'x-request-id': fc.string({ maxLength: 80 }),
        'idempotency-key': fc.string({ maxLength: 300 }),
      },
      { requiredKeys: [] },
    );
    await before();
    await fc.assert(
      fc.asyncProperty(malformedQueries, headers, async (query, given) => {
        const { status } = await harness.ask('owningTradie', name, { id: harness.profile.id, query, headers: given });
        expect(status).toBeLessThan(500);
      }),
      { seed, numRuns: Math.ceil(numRuns / 2.5) },
    );
    await mustHaveWrittenNothing();
  });
});
