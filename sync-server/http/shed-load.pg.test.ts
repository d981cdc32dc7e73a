import Koa from 'koa';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { problemSchema } from '../../shared/protocol/problem.ts';
import { createLog } from '../lib/log.ts';
import { addressBlocks, createCallerOf } from '../lib/client-address.ts';
import { HttpProblem } from './http-problem.ts';
import { problems } from './problems.ts';
import { createConcurrencyLimiter, shedLoad } from './shed-load.ts';

it('rejects calls past the limit, answers every admitted one, and admits again', async () => {
  const gate = Promise.withResolvers<void>();
  const app = new Koa();
  app.use(problems(createLog('silent')));
  app.use(shedLoad(createConcurrencyLimiter({ max: 3, perAddress: 3 }), createCallerOf([])));
  app.use(async (ctx) => {
    if (ctx.path === '/api/fails') throw new HttpProblem(418, { error: 'told to', code: 'told-to' });
    if (ctx.path === '/api/slow') await gate.promise;
    ctx.body = 'done';
  });
  app.silent = true;
  const handle = app.callback();
  const server = createServer((req, res) => void handle(req, res)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const call = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);

  const inside = [1, 2, 3].map(() => call('/api/slow'));
  await expect.poll(async () => (await call('/api/quick')).status).toBe(503);
  const away = await call('/api/quick');
  expect(problemSchema.parse(await away.json()).code).toBe('overloaded');
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await call('/health/live')).status).toBe(200);
  gate.resolve();
  expect((await Promise.all(inside)).map(({ status }) => status)).toEqual([200, 200, 200]);
  for (let time = 0; time < 5; time += 1) expect((await call('/api/fails')).status).toBe(418);
  expect((await call('/api/quick')).status).toBe(200);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('gives one address a share of the capacity, a wider block several, and all of them no more than there is', () => {
  const limiter = createConcurrencyLimiter({ max: 20, perAddress: 2 });
  const enter = (address: string) => limiter.enter(addressBlocks(address));
  expect([enter('192.0.2.1'), enter('192.0.2.1'), enter('192.0.2.1'), enter('192.0.2.2')]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  const ofOneNetwork = Array.from({ length: 20 }, (_, at) => enter(`2001:db8:1:${at}::1`));
  expect(ofOneNetwork.filter(Boolean)).toHaveLength(16);
  expect([enter('192.0.2.3'), enter('192.0.2.4')]).toEqual([true, false]);
  limiter.leave(addressBlocks('192.0.2.1'));
  expect([enter('192.0.2.1'), enter('192.0.2.1')]).toEqual([true, false]);
});
