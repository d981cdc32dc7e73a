import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { closeWorker } from './run-batch.ts';

/** A thread that makes one stream of node:zlib after the other, as the product does where it compresses segments. */
const compressing = `
  const { parentPort } = require('node:worker_threads');
  const zlib = require('node:zlib');
  parentPort.on('message', () => process.exit(0));
  (function make() {
    for (let left = 50; left > 0; left -= 1) zlib.createZstdCompress().close();
    setImmediate(make);
  })();
`;

test('a thread that is in the middle of compressing ends, and the process that started it goes on', async () => {
  for (let left = 40; left > 0; left -= 1) {
    const worker = new Worker(compressing, { eval: true });
    await new Promise((resolve) => worker.once('online', resolve));
    expect(await closeWorker(worker)).toBeUndefined();
  }
});

test('a thread that ends by an error is not ended quietly', async () => {
  const worker = new Worker(`require('node:worker_threads').parentPort.once('message', () => process.exit(3));`, {
    eval: true,
  });
  await expect(closeWorker(worker)).rejects.toThrow('3');
});

test('one that has ended already is not waited for', async () => {
  const worker = new Worker('process.exit(0)', { eval: true });
  await new Promise((resolve) => worker.once('exit', resolve));
  expect(await closeWorker(worker)).toBeUndefined();
});
