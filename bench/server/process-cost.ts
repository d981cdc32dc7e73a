import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const tick = 10;

/** Milliseconds of CPU a process has used so far, in all its threads (Linux). */
export function cpuMs(pid: number): number {
  // The name in brackets may hold spaces; what follows it does not.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

/** The same to the nanosecond, of the threads there are now: for work shorter than those hundredths. */
export function threadCpuMs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, thread) => sum + nanoseconds(`${tasks}/${thread}/schedstat`), 0) / 1e6;
}

/** A thread that ended since the folder was read counts for nothing. */
function nanoseconds(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

/**
 * Milliseconds of CPU of a PostgreSQL whose first process this is, in all its processes: those there are now, and those
 * that have ended.
 */
export function postgresCpuMs(postmaster: number): number {
  const ofPostmaster = readFileSync(`/proc/${postmaster}/stat`, 'utf8').split(') ')[1]!.split(' ');
  const ended = (Number(ofPostmaster[13]) + Number(ofPostmaster[14])) * tick;
  const own = [postmaster, ...childrenOf(postmaster)];
  return own.reduce((sum, pid) => sum + nanoseconds(`/proc/${pid}/schedstat`) / 1e6, ended);
}

/**
 * Milliseconds of CPU of the connections to one database of that PostgreSQL, since the call: what its upkeep and other
 * databases use beside them does not count, nor what a connection has used that has ended since.
 */
export function meterDatabase(postmaster: number, database: string): () => number {
  const look = () => {
    const used = new Map<number, number>();
    for (const pid of childrenOf(postmaster)) {
      if (isConnectionTo(database, pid)) used.set(pid, nanoseconds(`/proc/${pid}/schedstat`) / 1e6);
    }
    return used;
  };
  const before = look();
  return () => [...look()].reduce((sum, [pid, used]) => sum + used - (before.get(pid) ?? 0), 0);
}

/** Its title says so. */
function isConnectionTo(database: string, pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(` ${database} `);
  } catch {
    return false;
  }
}

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

/** The process that started this one. */
export function parentOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]);
}

/** Megabytes of memory it holds now. */
export function memoryMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
