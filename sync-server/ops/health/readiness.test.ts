import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diskProbe } from './probes.ts';
import { createReadiness } from './readiness.ts';
import { ProbeFailure, type Probe } from '../../ports/readiness-probe.ts';

const probe = (changes: Partial<Probe>): Probe => ({
  name: 'storage',
  isNeeded: true,
  keepMs: 0,
  ask: async () => 'fine',
  ...changes,
});
const warned: unknown[] = [];
const readiness = (...probes: Probe[]) =>
  createReadiness({
    probes,
    clock: () => new Date(0),
    log: { warn: (line: unknown) => void warned.push(line) } as never,
  });

it('reports of each check its state, its duration, and why the whole is not ready', async () => {
  const { checks, reasons } = await readiness(
    probe({ name: 'database' }),
    probe({ name: 'disk', ask: () => Promise.reject(new ProbeFailure('the disk is full')) }),
    probe({ name: 'billing', isNeeded: false, ask: () => Promise.reject(new ProbeFailure('it answers 503')) }),
  )();
  expect(reasons).toEqual(['disk: the disk is full']);
  expect(checks).toMatchObject({
    database: { state: 'ok', says: 'fine' },
    disk: { state: 'down', isNeeded: true },
    billing: { state: 'down', isNeeded: false, says: 'it answers 503' },
  });
  for (const { ms } of Object.values(checks)) expect(ms).toBeGreaterThanOrEqual(0);
});

it('repeats no message of an error that is not ours, for it may hold a secret', async () => {
  const { reasons } = await readiness(probe({ ask: () => Promise.reject(new Error('postgres://me:hunter2@db')) }))();
  expect(reasons).toEqual(['storage: it does not answer']);
  expect(warned).toHaveLength(1);
});

it('waits two seconds for a check that does not answer, and aborts it', async () => {
  let told: AbortSignal | undefined;
  const { reasons } = await readiness(
    probe({
      ask: (signal) => {
        told = signal;
        return new Promise(() => undefined);
      },
    }),
  )();
  expect(reasons).toEqual(['storage: it does not answer in time']);
  await expect.poll(() => told?.aborted).toBe(true);
});

it('asks a service over the network once, however many requests come', async () => {
  let asked = 0;
  const ready = readiness(probe({ keepMs: 60_000, ask: async () => String((asked += 1)) }));
  await Promise.all([ready(), ready()]);
  await ready();
  expect(asked).toBe(1);
});

it('finds a data directory that cannot be one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dwang-disk-'));
  expect(await diskProbe(join(folder, 'data')).ask(new AbortController().signal)).toMatch(/MiB free/);
  await writeFile(join(folder, 'file'), '');
  await expect(diskProbe(join(folder, 'file', 'data')).ask(new AbortController().signal)).rejects.toThrow();
  await rm(folder, { recursive: true });
});
