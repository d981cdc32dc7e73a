import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callNames, calls, type CallName } from '../../shared/api/index.ts';
import { makeTestId, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { insertRows } from '../db/write-rows.ts';
import { openCallsHarness, type Asked, type CallsHarness, type Role } from '../testing/calls-harness.ts';
import { pressButton } from '../testing/payment-harness.ts';
import { permissionMatrix } from '../testing/permission-matrix.ts';
import { askRow } from '../testing/run-matrix.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { tradiesAnHour } from './contact-reads.ts';
import { examples } from './examples.ts';
import { rejections } from './rejections.ts';

const documented = callNames.flatMap((name) =>
  [calls[name].status, ...(calls[name].isPublic ? [304] : []), ...Object.keys(rejections[name])].map(
    (status) => `${name} ${status}`,
  ),
);
const statusesOf = (name: CallName) => Object.keys(rejections[name]).map(Number);
const withBody = callNames.filter((name) => statusesOf(name).includes(413));

/** A caller whose rights let the call's body be read at all. */
const reader = (name: CallName): Role => (calls[name].access === 'signed-in' ? 'newcomer' : 'owningTradie');

describe.each(usualDatabase)('what the calls answer on %s', (kind) => {
  let harness: CallsHarness;
  beforeAll(async () => {
    harness = await openCallsHarness(kind);
  });
  afterAll(() => harness.close());

  test.each(withBody)('%s says what is wrong with a body [§7]', async (name) => {
    const send = (asked: Asked) => harness.ask(reader(name), name, { id: makeTestId(), ...asked });
    expect(await send({ body: '{"title": ' })).toMatchObject({ status: 400, code: 'malformed' });
    expect(await send({ body: '[]' })).toMatchObject({ status: 400, code: 'invalid' });
    expect(await send({ body: '['.repeat(100_000) + ']'.repeat(100_000) })).toMatchObject({
      status: 400,
      code: 'malformed',
    });
    expect(await send({ body: `{"a":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}` })).toMatchObject({
      status: 400,
      code: 'malformed',
    });
    expect(await send({ body: JSON.stringify({ note: 'x'.repeat(300_000) }) })).toMatchObject({
      status: 413,
      code: 'too-large',
    });
    expect(
      await send({ body: 'title=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    ).toMatchObject({ status: 415, code: 'unsupported-type' });
  });

  test.each(['users.create', 'tradies.edit', 'billing.checkout'] as const)(
    '%s written under one account and sent under another is rejected, and writes nothing',
    async (name) => {
      const role = reader(name);
      const id = harness.profile.id;
      const theirs = { ...examples[name].body, email: harness.people.homeowner.email };
      const before = await harness.digest();
      expect(await harness.ask(role, name, { id, body: theirs })).toMatchObject({ status: 403, code: 'other-email' });
      expect(await harness.digest()).toBe(before);
    },
  );

  test('one’s own address counts however it is typed', async () => {
    const email = ` ${harness.people.owningTradie.email.toUpperCase()}`;
    const body = { ...examples['billing.checkout'].body, email };
    expect((await harness.ask('owningTradie', 'billing.checkout', { body })).status).toBe(200);
    expect(
      (await harness.ask('owningTradie', 'tradies.edit', { id: harness.profile.id, body: { email } })).status,
    ).toBe(200);
  });

  test('a query that is not offered', async () => {
    expect(await harness.ask('activeTradie', 'jobs.list', { query: '?type=all-jobs' })).toMatchObject({
      status: 400,
      code: 'invalid',
    });
  });

  const keyed = ['jobs.post', 'jobs.edit', 'jobs.close', 'jobs.express', 'tradies.edit'] as const;
  test.each(keyed)('%s under the same Idempotency-Key: once, and no other request [§settled]', async (name) => {
    const role = name === 'tradies.edit' ? 'owningTradie' : name === 'jobs.express' ? 'activeTradie' : 'owner';
    const id = name === 'tradies.edit' ? harness.profile.id : (await harness.makeJobOf()).id;
    const headers = { 'idempotency-key': `${name} of today: ${makeTestId()}` };
    const { id: _, ...body } = { ...(examples[name].body as Record<string, unknown>) };
    const answers = await Promise.all([1, 2, 3].map(() => harness.ask(role, name, { id, body, headers })));
    const after = await harness.digest();
    answers.push(await harness.ask(role, name, { id, body, headers }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => calls[name].status));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const other =
      name === 'jobs.close'
        ? { id: (await harness.makeJobOf()).id, body }
        : { id, body: { ...body, title: 'Another', description: 'Another', note: 'Another' } };
    const before = name === 'jobs.close' ? await harness.digest() : after;
    expect(await harness.ask(role, name, { ...other, headers })).toMatchObject({ status: 409, code: 'uid-reused' });
    expect(await harness.digest()).toBe(before);
    expect(await harness.ask(role, name, { id, body, headers: { 'idempotency-key': 'k'.repeat(201) } })).toMatchObject({
      status: 400,
    });
  });

  test('two people who choose the same Idempotency-Key each have their own request done', async () => {
    const headers = { 'idempotency-key': 'my-first-job' };
    const { id: _, ...body } = examples['jobs.post'].body as Record<string, unknown>;
    const post = (role: 'owner' | 'homeowner', title: string) =>
      harness.ask(role, 'jobs.post', { body: { ...body, title }, headers });
    const [one, other] = [await post('owner', 'A gate'), await post('homeowner', 'A fence')];
    expect([one.status, other.status]).toEqual([calls['jobs.post'].status, calls['jobs.post'].status]);
    expect(one.text).not.toBe(other.text);
    expect((await post('owner', 'A gate')).text).toBe(one.text);
  });

  test('an edit that names a town which is not on the list leaves the photos alone too [§7]', async () => {
    const job = await harness.makeJobOf();
    const before = await harness.digest();
    const images = [`http://localhost/storage/v1/object/public/job-photos/${job.id}/1-a.jpg`];
    const answer = await harness.ask('owner', 'jobs.edit', {
      id: job.id,
      body: { location_id: 'nowhere/at-all', category_id: 'nothing', images },
    });
    expect(answer).toMatchObject({
      status: 400,
      code: 'invalid',
      body: {
        error: [expect.any(String), expect.any(String)],
        details: { fields: { location_id: expect.any(String) as string, category_id: expect.any(String) as string } },
      },
    });
    expect(await harness.digest()).toBe(before);
  });

  test('public lists answer 304 where the caller has them, and are served to a caller whose session has ended [§settled]', async () => {
    for (const name of callNames.filter((one) => calls[one].isPublic)) {
      const first = await harness.ask('anonymous', name);
      const again = await harness.ask('admin', name, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
      expect([name, again.status, again.text]).toEqual([name, 304, '']);
    }
  });

  test('contacts cannot be collected in bulk, but those of tradies who answered one’s job are sent [§3]', async () => {
    const people = Array.from({ length: tradiesAnHour + 1 }, () => makeUser());
    const tradies = people.map((user) => makeTradie({ userId: user.id, email: user.email }));
    await insertRows(harness.database.sql, 'users', people);
    await insertRows(harness.database.sql, 'tradies', tradies);
    await harness.makeJobOf({}, true);
    expect((await harness.ask('owner', 'tradies.read', { id: harness.profile.id })).status).toBe(200);
    const answers = await Promise.all(tradies.map(({ id }) => harness.ask('owner', 'tradies.read', { id })));
    const late = answers.filter(({ status }) => status === 429);
    expect(late).toHaveLength(1);
    expect(late[0]).toMatchObject({ code: 'too-many' });
    expect(Number(late[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(late[0]?.text).not.toContain('@');
    expect((await harness.ask('owner', 'tradies.read', { id: harness.profile.id })).status).toBe(200);
    expect((await harness.ask('anonymous', 'tradies.read', { id: tradies[0]!.id })).status).toBe(200);
    harness.pass(3_600_001);
    for (const { id } of tradies.slice(0, 3))
      expect((await harness.ask('owner', 'tradies.read', { id })).status).toBe(200);
  });

  test('a subscriber is not sold a second subscription', async () => {
    const body = { ...examples['billing.checkout'].body, email: harness.people.homeowner.email };
    const { body: first } = await harness.ask('homeowner', 'billing.checkout', { body });
    await pressButton((first as { url: string }).url, 'Pay');
    expect(await harness.ask('homeowner', 'billing.checkout', { body })).toMatchObject({
      status: 409,
      code: 'already-subscribed',
    });
  });

  test('what is written by a call reaches every device, and what a device may not have does not', async () => {
    const before = await harness.exchange('owner', null);
    const theirs = await harness.exchange('homeowner', null);
    const { body } = await harness.ask('owner', 'jobs.post', {
      body: { ...examples['jobs.post'].body, id: makeTestId() },
    });
    const { id } = body as { id: string };
    const delta = await vi.waitFor(
      async () => {
        const answer = await harness.exchange('owner', before.cookie);
        expect(answer.puts.jobs).toBeDefined();
        return answer;
      },
      { timeout: 30_000 },
    );
    expect(delta.puts.jobs).toMatchObject([{ id, title: examples['jobs.post'].body?.title }]);
    await harness.ask('owner', 'jobs.close', { id, body: {} });
    // An instance may answer "nothing new" until it is notified of the commit; then it pokes.
    await vi.waitFor(
      async () =>
        expect((await harness.exchange('owner', delta.cookie)).puts.jobs).toMatchObject([{ id, status: 'closed' }]),
      { timeout: 30_000 },
    );
    expect((await harness.exchange('homeowner', theirs.cookie)).puts).toEqual({});
  });

  test('without its database every call says "not now", and nothing of why', async () => {
    const mend = harness.cutDatabase();
    // It is answered from memory.
    const withDatabase = callNames.filter((name) => name !== 'config.read');
    for (const name of withDatabase) {
      const answer = await harness.ask(reader(name), name, {
        id: makeTestId(),
        body: calls[name].method === 'GET' ? undefined : {},
      });
      expect([name, answer.status, answer.code, answer.text.includes('ECONN')]).toEqual([
        name,
        503,
        'unavailable',
        false,
      ]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    mend();
  });

  test('every documented answer occurs, and no other', async () => {
    for (const row of permissionMatrix) await askRow(harness, row);
    expect([...harness.seen].toSorted()).toEqual(documented.toSorted());
  });
});
