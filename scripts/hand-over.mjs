import { spawn } from 'node:child_process';
import { root, runtime, toolEnv } from './installed.mjs';

/** How often it is looked whether whoever started us is still there, in milliseconds. */
const PARENT_CHECK = 1_000;

/**
 * Runs a TypeScript file on the installed Node and becomes one with it: signals go to it, its exit is ours, and when
 * whoever started us is gone (npm was killed) it is told to stop.
 */
export function handOver(file, args = process.argv.slice(2)) {
  const child = spawn(runtime(), [file, ...args], { cwd: root, env: toolEnv(), stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, PARENT_CHECK);
  child.on('error', (error) => stop(error.message));
  child.on('exit', (code, signal) => {
    clearInterval(timer);
    process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1));
  });
}

/** One line on the error channel, then the end. */
export function stop(message) {
  console.error(message);
  process.exit(1);
}
