import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const tick = 10;

/** Milliseconds of CPU a process has used so far, in all its threads (Linux). */
export function cpuMs(pid: number): number {
  // The name in brackets may hold spaces; what follows it does not.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

/** Megabytes of memory it holds now. */
export function memoryMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
