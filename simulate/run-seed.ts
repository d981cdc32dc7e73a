import './time/setup.ts';
import { takeOverTimers } from './time/take-over-timers.ts';
import { createLoop } from './time/loop.ts';
import { endLiveQueries, overruleTransactions } from './device/disk.ts';
import { invariantsAtEnd, onceHealed } from './checker/invariants-at-end.ts';
import { finalState, type FinalState } from './checker/final-state.ts';
import { Violation, type InvariantId } from './checker/violation.ts';
import { createMemoryBackend } from './server/memory-backend.ts';
import { keepAway } from './world/away.ts';
import { allSteps, drawPlan, onNoDevice, type Planned } from './world/plan.ts';
import { tellOfJob } from './world/pushes.ts';
import { chanceOf } from './world/chance.ts';
import { createCounters } from './world/counters.ts';
import { isHeldInPart } from './world/geography.ts';
import { heal } from './world/heal.ts';
import { epochMs, createWorld, type World } from './world/world.ts';

export interface Run {
  seed: number;
  steps: number;
  /** Only these steps of the plan: a shortened run. */
  only?: readonly number[];
  /** Also return what is left at the end, to be checked elsewhere. */
  keepsEnd?: boolean;
}

export interface Ended {
  seed: number;
  violation: { invariant: InvariantId | 'crash'; message: string } | undefined;
  counts: Record<string, number>;
  /** The trace: what happened, each with its place in the plan. */
  trace: { at: number; text: string }[];
  virtualMs: number;
  /** CPU time of this thread. */
  cpuMs: number;
  left?: FinalState;
}

let isSetUp = false;

/** One seed, from the first step to the last check. In safety mode (every fourth seed) faults never stop. */
export async function runSeed({ seed, steps, only, keepsEnd = false }: Run): Promise<Ended> {
  if (!isSetUp) overruleTransactions();
  isSetUp = true;
  const began = process.threadCpuUsage();
  const counters = createCounters();
  const loop = createLoop();
  const disk = chanceOf(seed, 'disk');
  const restore = takeOverTimers(loop, epochMs, () => disk.below(8) / 16);
  const trace: Ended['trace'] = [];
  let violation: Ended['violation'];
  let left: FinalState | undefined;
  try {
    const backendOver = async (over: typeof loop, clock: () => Date) =>
      createMemoryBackend({ loop: over, clock, counters, chance: chanceOf(seed, 'database') });
    const world = await createWorld(loop, {
      seed,
      counters,
      backendOver,
      pageSize: seed % 2 === 0 ? 1_000 : 2 + (seed % 7),
    });
    const all = drawPlan(chanceOf(seed, 'plan'), {
      steps,
      devices: world.devices.length,
      isInPart: isHeldInPart(world.geography),
    });
    const plan = only === undefined ? all : all.filter(({ at }) => only.includes(at));
    for (const planned of plan) await take(world, planned, trace);
    if (seed % 4 !== 0) await healAndCheck(world);
    checkAlways(world);
    if (keepsEnd) left = finalState(world);
  } catch (error) {
    violation =
      error instanceof Violation
        ? { invariant: error.invariant, message: error.message }
        : { invariant: 'crash', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    restore();
    endLiveQueries();
  }
  return {
    seed,
    violation,
    counts: counters.all(),
    trace,
    virtualMs: loop.now(),
    cpuMs: cpuMsSince(began),
    ...(left === undefined ? {} : { left }),
  };
}

function cpuMsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1_000;
}

async function take(
  world: World,
  { at, gapMs, device: index, what, salt }: Planned,
  trace: Ended['trace'],
): Promise<void> {
  await world.loop.pass(gapMs);
  world.checker.mustBeWell();
  keepAway(world);
  const device = world.devices[index]!;
  if (device.away !== undefined && !(what in onNoDevice)) return;
  const able = device.tabs.filter((tab) => tab.proc.state === 'running' && tab.userId === device.userId);
  const chance = chanceOf(salt, what);
  const tab = able.length === 0 ? undefined : chance.pick(able);
  const text = await allSteps[what]!.act({ world, device, chance, tab });
  const beside = tellOfJob({ world, device, chance: chanceOf(salt, 'push'), tab });
  if (beside !== undefined) trace.push({ at, text: `${device.name}: ${beside}` });
  if (text === undefined) return;
  world.counters.count('a step taken');
  world.counters.count(`step: ${what}`);
  trace.push({ at, text: `${device.name}: ${text}` });
}

async function healAndCheck(world: World): Promise<void> {
  await heal(world, (groups) => {
    for (const holds of onceHealed) holds(world, groups);
  });
}

function checkAlways(world: World): void {
  world.checker.mustBeWell();
  for (const holds of invariantsAtEnd) holds(world);
}
