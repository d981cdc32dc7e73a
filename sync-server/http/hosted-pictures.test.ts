import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterAll, expect, test } from 'vitest';
import { hostedPictures } from './hosted-pictures.ts';

const app = new Koa().use(hostedPictures('https://p.supabase.co').routes());
const answer = app.callback();
const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
afterAll(() => server.close());
const ask = (path: string) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { redirect: 'manual' });

test('a picture asked for at our address leads to the hosted project, by its path as it was asked', async () => {
  const answer = await ask('/storage/v1/object/public/job-photos/folder/1-a%20b.jpg');
  const there = 'https://p.supabase.co/storage/v1/object/public/job-photos/folder/1-a%20b.jpg';
  expect([answer.status, answer.headers.get('location')]).toEqual([302, there]);
});

test.each([
  '/storage/v1/object/public/secrets/a.jpg',
  '/storage/v1/object/job-photos/a.jpg',
  '/storage/v1/object/public/job-photos/',
])('nothing else is led anywhere: %s', async (path) => {
  expect((await ask(path)).status).toBe(404);
});
