import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The state of a batch; written after every few seeds, so that an interrupted run continues. */
export interface Progress {
  done: [from: number, to: number][];
  failed: number[];
  counts: Record<string, number>;
  virtualMs: number;
  cpuMs: number;
}

const folder = join(import.meta.dirname, '../../node_modules/.cache/dwang/simulate');

export const noProgress = (): Progress => ({ done: [], failed: [], counts: {}, virtualMs: 0, cpuMs: 0 });

export const batchName = (from: number, to: number, steps: number): string => `seeds ${from}..${to} x ${steps} steps`;

const fileOf = (name: string) => join(folder, `${name}.json`);

export function readProgress(name: string): Progress {
  return existsSync(fileOf(name)) ? (JSON.parse(readFileSync(fileOf(name), 'utf8')) as Progress) : noProgress();
}

/** Atomically: a run may be interrupted at any time. */
export function writeProgress(name: string, progress: Progress): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${fileOf(name)}.new`, JSON.stringify(progress));
  renameSync(`${fileOf(name)}.new`, fileOf(name));
}

/** Every batch this machine has run since its modules were installed. */
export function allProgress(): { name: string; progress: Progress }[] {
  return globSync('seeds *.json', { cwd: folder })
    .toSorted((one, other) => one.localeCompare(other))
    .map((file) => {
      const name = file.replace(/\.json$/, '');
      return { name, progress: readProgress(name) };
    });
}

export const seedsDone = ({ done }: Progress): number => done.reduce((sum, [from, to]) => sum + to - from + 1, 0);

/** What was executed, not what was checked: steps, exchanges, writes committed on devices. */
export const operationsIn = ({ counts }: Progress): number =>
  ['a step taken', 'an exchange asked', 'a write committed on a device'].reduce(
    (sum, what) => sum + (counts[what] ?? 0),
    0,
  );
