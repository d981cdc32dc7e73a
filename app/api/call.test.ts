import { expect, test } from 'vitest';
import { CallRejected, CallUnanswered, createCaller } from './call.ts';

function callerOver(answer: () => Response | Promise<Response>, token: string | null = null) {
  const seen: { url: string; init: RequestInit }[] = [];
  const caller = createCaller({
    accessToken: async () => token,
    fetch: async (url, init) => {
      seen.push({ url: url as string, init: init ?? {} });
      return answer();
    },
  });
  return { caller, seen };
}

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

test('fills the path, sends the bearer and credentials, and parses the answer [§6, §7]', async () => {
  const { caller, seen } = callerOver(() => json([{ id: 'builder', name: 'Builder', extra: 1 }]), 'a-token');
  expect(await caller.call('categories.list')).toEqual([{ id: 'builder', name: 'Builder' }]);
  expect(seen[0]?.url).toBe('/api/categories');
  expect(seen[0]?.init.headers).toMatchObject({ authorization: 'Bearer a-token' });
  expect(seen[0]?.init).toMatchObject({ method: 'GET', credentials: 'include' });
});

test('a rejection is "status: text" with the server’s message [§7, §8]', async () => {
  const { caller } = callerOver(() =>
    json({ error: ['Title is required.', 'Location is required.'], code: 'invalid' }, 400),
  );
  const refused = await caller.call('jobs.list', { query: { type: 'my-jobs' } }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CallRejected);
  expect((refused as CallRejected).message).toMatch(/^400: /);
  expect((refused as CallRejected).wordsOr('Failed to post job')).toBe('Title is required., Location is required.');
});

test('a rejection without a code shows its message all the same', async () => {
  const { caller } = callerOver(() => json({ error: 'Dwang is being moved. Try again at six.' }, 503));
  const refused = (await caller.call('users.me').catch((error: unknown) => error)) as CallRejected;
  expect(refused.wordsOr('Failed to fetch user profile')).toBe('Dwang is being moved. Try again at six.');
});

test('a rejection without a message of our server falls back to a fixed one', async () => {
  const { caller } = callerOver(() => new Response('<html>Bad gateway</html>', { status: 502 }));
  const refused = (await caller.call('users.me').catch((error: unknown) => error)) as CallRejected;
  expect(refused.wordsOr('Failed to fetch user profile')).toBe('Failed to fetch user profile');
  expect(refused.status).toBe(502);
});

test.each([
  ['no network', () => Promise.reject(new TypeError('failed'))],
  ['a captive portal', () => new Response('<html>Log in to the wifi</html>')],
  ['a body cut short', () => new Response('[{"id":"buil')],
  ['another shape', () => json([{ id: 1 }])],
])('%s is unanswered, not an answer', async (_what, answer) => {
  const { caller } = callerOver(answer);
  await expect(caller.call('categories.list')).rejects.toBeInstanceOf(CallUnanswered);
});
