import type { ChildProcess } from 'node:child_process';

/** SIGKILL to this process and all that it has started, at once; it must lead a group of its own (`detached`). */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await gone;
}
