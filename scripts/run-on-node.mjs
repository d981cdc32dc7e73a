import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root, runtime, toolEnv } from './installed.mjs';

/** Milliseconds between two checks that the parent process is alive. */
const parentCheckMs = 1_000;

/**
 * Runs a TypeScript file on the installed Node as a child process: signals are forwarded to it, its exit code becomes
 * ours, and it is stopped when our parent process is gone (npm was killed).
 */
export function runOnNode(file, args = process.argv.slice(2)) {
  const child = spawn(runtime(), [file, ...args], {
    cwd: root,
    env: toolEnv(),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const before = starters();
  const timer = setInterval(() => {
    if (starters() === before) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, parentCheckMs);
  child.on('error', (error) => stop(error.message));
  child.on('exit', (code, signal) => {
    clearInterval(timer);
    process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1));
  });
}

/** The parent process and its parent: npm puts a shell in between, which outlives it. */
function starters() {
  let above = '';
  try {
    above = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8'))?.[1] ?? '';
  } catch {
    // The system has no /proc: then the parent alone has to do.
  }
  return `${process.ppid} ${above}`;
}

/** One line on the error channel, then the end. */
export function stop(message) {
  console.error(message);
  process.exit(1);
}
