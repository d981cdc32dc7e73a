import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
  const before = starters();
  const timer = setInterval(() => {
    if (starters() === before) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, PARENT_CHECK);
  child.on('error', (error) => stop(error.message));
  child.on('exit', (code, signal) => {
    clearInterval(timer);
    process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1));
  });
}

/** Who started us, and who started them: npm puts a shell in between, which outlives it. */
function starters() {
  let above = '';
  try {
    above = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8'))?.[1] ?? '';
  } catch {
    // No /proc here: then the parent alone has to do.
  }
  return `${process.ppid} ${above}`;
}

/** One line on the error channel, then the end. */
export function stop(message) {
  console.error(message);
  process.exit(1);
}
