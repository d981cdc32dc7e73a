import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callNames, calls, type CallName } from '../../shared/api/index.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { collectionNames } from '../../shared/tables/collections.ts';
import { makeInterest, makeTestId } from '../../shared/testing/make.ts';
import type { Job } from '../../shared/tables/index.ts';
import { insertRows } from '../db/write-rows.ts';
import { openCallsHarness, type CallsHarness, type Role } from '../testing/calls-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { examples } from './examples.ts';

/**
 * A right one and a wrong one, where the call is about something that is there; nothing that would change what others
 * see.
 */
function bodiesOf(name: CallName): unknown[] {
  if (name === 'tradies.edit') return [{ description: 'Spouting and small roof repairs.' }, { businessName: 1 }];
  return name === 'jobs.express' || name === 'jobs.edit' || name === 'jobs.close'
    ? [examples[name].body, { title: 1, note: 1, reason: 1 }]
    : [{}];
}

interface Payload {
  what: string;
  /** Status line, headers and body, as they came. */
  text: string;
}

const tradieRoles = [
  'activeTradie',
  'trialingTradie',
  'lapsedTradie',
  'owningTradie',
] as const satisfies readonly Role[];
const others = ['anonymous', 'newcomer', 'homeowner', 'admin'] as const satisfies readonly Role[];

describe.each(usualDatabase)('what any caller can obtain, on %s', (kind) => {
  let harness: CallsHarness;
  let jobs: Job[];

  beforeAll(async () => {
    harness = await openCallsHarness(kind);
    const { owner, lapsedTradie } = harness.people;
    const images = (id: string) => [`job-photos/${id}/1-gate.jpg`];
    const [first, second] = [makeTestId(), makeTestId()];
    jobs = [
      await harness.makeJobOf({ id: first, images: images(first) }),
      await harness.makeJobOf({ id: second, images: images(second) }, true),
      await harness.makeJobOf({ status: 'closed' }),
      await harness.makeJobOf({ status: 'closed' }, true),
    ];
    // This tradie answered while the subscription ran.
    await insertRows(harness.database.sql, 'interests', [
      makeInterest({ jobId: first, tradieId: lapsedTradie.tradieId!, userId: lapsedTradie.id, ownerId: owner.id }),
    ]);
    await vi.waitUntil(async () => (await raw('activeTradie', 'GET', '/api/sync/shelves/feed')).status === 200, {
      timeout: 30_000,
    });
  });
  afterAll(() => harness.close());

  async function raw(
    role: Role,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; text: string; body: string }> {
    const person = role === 'anonymous' || role === 'admin' ? undefined : harness.people[role];
    const headers = {
      ...(person ? { authorization: `Bearer ${person.id}|${person.email}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await harness.app.call(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    return {
      status: response.status,
      body: answer,
      text: [response.status, ...[...response.headers].map((header) => header.join(': ')), '', answer].join('\n'),
    };
  }

  /**
   * Every call about every job, profile and person there is, rightly and wrongly; the exchange; the collections to the
   * last segment.
   */
  async function walk(role: Role): Promise<Payload[]> {
    const got: Payload[] = [];
    const take = async (method: string, path: string, body?: unknown) => {
      const { text, body: answer } = await raw(role, method, path, body);
      got.push({ what: `${method} ${path}`, text });
      return answer;
    };
    const { owner } = harness.people;
    const ids = [...jobs.map(({ id }) => id), harness.profile.id, owner.id, makeTestId(), 'not-an-id'];
    for (const name of callNames) {
      const { method, path } = calls[name];
      const paths = path.includes(':id') ? ids.map((id) => path.replace(':id', id)) : [path];
      for (const one of paths) {
        // A POST of one's own would only add to what the others see.
        if (method === 'GET') await take(method, one);
        else for (const body of bodiesOf(name)) await take(method, one, body);
      }
    }
    await take('GET', '/api/jobs?type=my-jobs');
    await take('POST', '/api/users', { email: owner.email, firstName: 'X', lastName: 'Y' });
    await take('POST', '/api/jobs', { ...(examples['jobs.post'].body as object), id: jobs[0]!.id });
    for (const path of [
      '/api/openapi.json',
      '/api/docs',
      '/health/ready',
      '/api/nothing',
      `/api/mail/unsubscribe/${owner.id}`,
    ])
      await take('GET', path);

    const at = new Date().toISOString();
    const sent = jobs
      .flatMap(({ id, images }) => [
        { name: 'interest.express', args: { id: makeTestId(), jobId: id } },
        { name: 'job.edit', args: { id, set: { title: 'x' }, base: {} } },
        { name: 'job.close', args: { id } },
        { name: 'job.post', args: { ...(examples['jobs.post'].body as object), id } },
        { name: 'photo.attach', args: { id: makeTestId(), jobId: id, url: images[0] ?? 'job-photos/x' } },
        { name: 'interest.tick', args: { id, contacted: true } },
      ])
      .map((mutation) => ({ uid: makeTestId(), at, ...mutation }));
    const userId = role === 'anonymous' || role === 'admin' ? undefined : harness.people[role].id;
    const request = {
      protocol: protocolVersion,
      schema: schemaVersion,
      userId,
      cookie: null,
      shelves: Object.fromEntries(collectionNames.map((name) => [name, null])),
      awaiting: [],
      mutations: [],
    };
    const answer = await take('POST', '/api/sync', {
      ...request,
      mutations: sent,
      awaiting: sent.map(({ uid }) => uid),
    });
    const { cookie = null } = JSON.parse(answer) as { cookie?: string };
    await take('POST', '/api/sync', {
      ...request,
      cookie,
      shelves: Object.fromEntries(collectionNames.map((name) => [name, '0'])),
    });
    await take('POST', '/api/sync', { ...request, cookie: 'nonsense', protocol: 'x' });
    for (const name of collectionNames) {
      const manifest = JSON.parse(await take('GET', `/api/sync/shelves/${name}`)) as { segments?: { hash: string }[] };
      for (const { hash } of manifest.segments ?? []) await take('GET', `/api/sync/shelves/${name}/${hash}`);
    }
    return got;
  }

  /** Where one of the marks stands, plainly, escaped, or packed into a token. */
  function findings(payloads: readonly Payload[], marks: readonly string[]): string[] {
    return payloads.flatMap(({ what, text }) => {
      // What the caller itself asked for is in no answer either, save in the path that is named here.
      const packed = [...text.matchAll(/[\w+/=-]{16,}/g)].map(([run]) => Buffer.from(run, 'base64').toString('utf8'));
      const all = [text, decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25')), ...packed]
        .join('\n')
        .toLowerCase();
      return marks.filter((mark) => all.includes(mark.toLowerCase())).map((mark) => `${mark} in ${what}`);
    });
  }

  const ownerMarks = () => {
    const { id, email, firstName, lastName } = harness.people.owner;
    return [id, email, firstName, lastName];
  };

  test('the walk sees what the owner sees, so it would find it', async () => {
    const own = await walkOwner();
    expect(findings(own, ownerMarks())).toEqual(
      expect.arrayContaining(ownerMarks().map((mark) => expect.stringMatching(new RegExp(`^${mark}`)) as string)),
    );
    async function walkOwner(): Promise<Payload[]> {
      const me = await raw('owner', 'GET', '/api/users/me');
      const sync = await raw('owner', 'POST', '/api/sync', {
        protocol: protocolVersion,
        schema: schemaVersion,
        userId: harness.people.owner.id,
        cookie: null,
        shelves: {},
        awaiting: [],
        mutations: [],
      });
      return [
        { what: 'me', text: me.text },
        { what: 'sync', text: sync.text },
      ];
    }
  });

  test.each([...tradieRoles, ...others])('%s obtains no homeowner’s name, email or user id [§6]', async (role) => {
    const payloads = await walk(role);
    expect(payloads.length).toBeGreaterThan(80);
    expect(findings(payloads, ownerMarks())).toEqual([]);
  });

  test('signed out there is no email and no phone [§6]', async () => {
    const { rows } = await rawSql<{
      email: string;
      contact_phone: string;
    }>`select email, contact_phone from tradies`.execute(harness.database.sql);
    expect(rows.length).toBeGreaterThan(3);
    expect(
      findings(await walk('anonymous'), [
        ...new Set(rows.flatMap(({ email, contact_phone: phone }) => [email, phone])),
      ]),
    ).toEqual([]);
  });

  test('a tradie’s contacts reach another tradie by that profile’s own page alone [§settled]', async () => {
    const payloads = await walk('activeTradie');
    const found = findings(payloads, [harness.profile.email]);
    expect(found).toEqual([`${harness.profile.email} in GET /api/tradies/${harness.profile.id}`]);
  });

  test('who read whose contacts is written down, without the contacts; the log has neither', async () => {
    await harness.ask('homeowner', 'tradies.read', { id: harness.profile.id });
    const { rows } = await rawSql<{
      reader_id: string;
      tradie_id: string;
    }>`select reader_id, tradie_id, first_at, last_at, reads from contact_read where reader_id = ${harness.people.homeowner.id}`.execute(
      harness.database.sql,
    );
    expect(rows).toMatchObject([{ tradie_id: harness.profile.id }]);
    const { email, contactPhone } = harness.profile;
    for (const mark of [email, contactPhone!, harness.people.owner.email, harness.people.owner.lastName]) {
      expect(JSON.stringify(rows)).not.toContain(mark);
      expect(harness.app.logged()).not.toContain(mark);
    }
    expect(harness.app.logged()).toContain('/api/tradies/');
  });
});
