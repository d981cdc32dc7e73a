import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeAnswerSchema, type ExchangeRequest } from '../shared/protocol/exchange.ts';
import { carriedChangeSchema } from '../shared/protocol/poke.ts';
import { manifestSchema } from '../shared/protocol/segment.ts';
import type { User } from '../shared/tables/index.ts';
import { makeTestId } from '../shared/testing/make.ts';
import { openSyncHarness, post, sent, type SyncHarness } from './testing/sync-harness.ts';
import { openTestApp, type TestApp } from './testing/test-app.ts';
import { usualDatabase } from './testing/test-db.ts';
import { openSync, type Sync } from './open-sync.ts';

describe.each(usualDatabase)('the server’s half of sync, assembled, on %s', (kind) => {
  let harness: SyncHarness, sync: Sync, app: TestApp, owner: User, person: User;
  const closing = new AbortController();
  beforeAll(async () => {
    harness = await openSyncHarness(kind);
    owner = await harness.homeowner();
    ({ user: person } = await harness.tradie());
    const verifyToken = (token: string) => Promise.resolve({ userId: token, email: 'somebody@example.nz' });
    const shell = await openTestApp({ database: harness.db });
    await shell.close();
    const deps = { ...shell.deps, clock: harness.parts.clock, closing: closing.signal, verifyToken };
    sync = await openSync(deps);
    app = await openTestApp(deps, { sync: sync.routers });
  });
  afterAll(async () => {
    closing.abort();
    await app.close();
    await sync.close();
    await harness.close();
  });

  const ask = async (user: User, changes: Partial<ExchangeRequest> = {}, device?: string) => {
    const body = {
      protocol: 1,
      schema: 1,
      userId: user.id,
      cookie: null,
      shelves: {},
      mutations: [],
      awaiting: [],
      ...changes,
    };
    const response = await app.call('/api/sync', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user.id}`,
        'content-type': 'application/json',
        ...(device === undefined ? {} : { 'x-device-id': device }),
      },
      body: JSON.stringify(body),
    });
    const answer = exchangeAnswerSchema.parse(await response.json());
    if (answer.kind !== 'delta') throw new Error(`reset: ${answer.reason}`);
    return answer;
  };
  /** The next poke on this person's stream. */
  const nextPoke = async (user: User, since: string) => {
    const stop = new AbortController();
    const response = await app.call(`/api/sync/poke?since=${since}`, {
      headers: { authorization: `Bearer ${user.id}` },
      signal: stop.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    return async () => {
      for (let text = ''; !text.includes('event: poke');) text += (await reader.read()).value ?? '';
      stop.abort();
    };
  };

  it('a posted job pokes the tradie, is in the feed, and the interest reaches its owner with the contacts', async () => {
    const start = await ask(person, { shelves: { feed: null } });
    const feed = start.shelves.feed!;
    if (!('manifest' in feed)) throw new Error('a new device gets the manifest');
    manifestSchema.parse(feed.manifest);
    const poked = await nextPoke(person, feed.manifest.version);

    const job = post({ title: 'Through the wire' });
    await ask(owner, { mutations: [job] });
    await poked();
    const next = await ask(person, { cookie: start.cookie, shelves: { feed: feed.manifest.version } });
    expect(next.shelves.feed).toMatchObject({ puts: [{ id: job.args.id, title: 'Through the wire' }], removes: [] });
    expect(next.puts).toEqual({});

    const express = sent('interest.express', { id: makeTestId(), jobId: job.args.id });
    const done = await ask(person, { cookie: next.cookie, mutations: [express] });
    expect(done.outcomes).toEqual([{ uid: express.uid, status: 'applied' }]);
    const home = await ask(owner);
    expect(home.puts.tradies?.map(({ email }) => email)).toEqual([expect.stringContaining('trade-')]);
    expect(JSON.stringify([start, next, done])).not.toContain(owner.id);
  });

  it('P10: a device that names itself gets the next change over its stream; an app of before is poked', async () => {
    const device = makeTestId();
    const stop = new AbortController();
    const listen = async (query: string, headers: Record<string, string> = {}) => {
      const response = await app.call(`/api/sync/poke${query}`, {
        headers: { authorization: `Bearer ${owner.id}`, ...headers },
        signal: stop.signal,
      });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      return async (event: string) => {
        while (!new RegExp(`event: ${event}\\ndata:.*\\n\\n`).test(text)) text += (await reader.read()).value ?? '';
        return text;
      };
    };
    const stream = await listen('?changes=1', { 'x-device-id': device });
    const older = await listen('');
    await Promise.all([stream('poke'), older('poke')]);
    const collections = { directory: null, reference: null };
    const first = await ask(owner, { shelves: collections }, device);
    const versions = Object.fromEntries(
      Object.entries(first.shelves).map(([name, part]) => [name, 'manifest' in part ? part.manifest.version : null]),
    );
    const { cookie } = await ask(owner, { cookie: first.cookie, shelves: versions }, device);
    const job = post({ title: 'Over the stream' });
    await ask(owner, { mutations: [job] });
    const text = await stream('change');
    const change = carriedChangeSchema.parse(JSON.parse(/event: change\ndata: (.*)\n/.exec(text)?.[1] ?? ''));
    expect(change).toMatchObject({ userId: owner.id, asked: { cookie } });
    expect(change.answer.puts.jobs).toMatchObject([{ id: job.args.id, title: 'Over the stream' }]);
    expect(await older('poke')).not.toContain('Over the stream');
    stop.abort();
  });
});
