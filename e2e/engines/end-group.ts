import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * SIGKILL to this process and all that it has started, at once; it must lead a group of its own (`detached`). Returns
 * when all of them are gone: one that is still ending holds its profile's files, and a browser that is started on them
 * meanwhile waits for it without end.
 */
export async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-pid, 'SIGKILL');
  await gone;
  while (await isRunning(pid)) await sleep(10);
}

/** Whether a process of this group still runs; one that has ended and was not waited for (Z) holds nothing any more. */
async function isRunning(group: number): Promise<boolean> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')));
  return stats.some((stat) => {
    // pid (name) state parent group …; the name may hold spaces and brackets.
    const [state = '', , of] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(of) === group && !'ZX'.includes(state);
  });
}
