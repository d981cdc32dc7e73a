import { register } from '../planted-bugs/register.ts';
import type { Run } from '../run-seed.ts';
import { parentPort, workerData } from 'node:worker_threads';

/** One seed after the other, as they are handed out; each answered when it has ended. In a zoo, with one fault planted. */
export type WorkerOrder = Run;

// Thousands of errors are thrown on purpose; nobody reads where.
Error.stackTraceLimit = 0;
// Before any of the product is loaded.
register((workerData as { defect?: string }).defect);
const { runSeed } = await import('../run-seed.ts');

const port = parentPort;
if (port === null) throw new Error('This runs in a worker.');
port.on('message', (order: WorkerOrder) => {
  void runSeed(order).then((ended) => port.postMessage(ended));
});
