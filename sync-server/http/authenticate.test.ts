import type { Context } from 'koa';
import { expect, it } from 'vitest';
import { authenticate } from './authenticate.ts';

const claims = { userId: '018f3a5e-0000-7000-8000-000000000001', email: 'a@example.nz' };
const deps = {
  anonKey: 'sb_publishable_x',
  verifyToken: async (token: string) => (token === 'good' ? claims : undefined),
};
const ask = (authorization: string) =>
  authenticate({ get: () => authorization, state: {} } as unknown as Context, deps);

it('knows the person of a good token', async () => {
  for (const header of ['Bearer good', 'bearer  good ']) expect(await ask(header)).toEqual(claims);
});

it('treats no token and the public key as signed out [§6]', async () => {
  for (const header of ['', 'Bearer sb_publishable_x']) expect(await ask(header)).toBeUndefined();
});

it('rejects everything else with 401', async () => {
  for (const header of ['Bearer bad', 'Bearer', 'Basic good', 'good', 'Bearer good good']) {
    await expect(ask(header)).rejects.toMatchObject({ status: 401, body: { code: 'sign-in-needed' } });
  }
});
