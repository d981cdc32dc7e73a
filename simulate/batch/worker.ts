import { register } from '../planted-bugs/register.ts';
import type { Run } from '../run-seed.ts';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Runs seeds one after the other as they are requested, and answers each when it has ended, until it is told to end
 * itself; with one bug planted where `workerData` names it.
 */
export type WorkerOrder = Run | 'end';

// Thousands of errors are thrown on purpose, and their stacks are not read.
Error.stackTraceLimit = 0;
// This is set before any of the product is loaded.
register((workerData as { defect?: string }).defect);
const { runSeed } = await import('../run-seed.ts');

const port = parentPort;
if (port === null) throw new Error('This runs in a worker.');
port.on('message', (order: WorkerOrder) => {
  if (order === 'end') process.exit(0);
  void runSeed(order).then((ended) => port.postMessage(ended));
});
