import type { SeededRandom } from '../../shared/testing/random-source.ts';
import { days } from './away.ts';
import { browserFaults } from './browser-faults.ts';
import { diskFaults } from './disk-faults.ts';
import { networkFaults } from './network-faults.ts';
import { serverFaults } from './server-faults.ts';
import { sessions } from './sessions.ts';
import { corrections, moves } from './moves.ts';
import { ownRows } from './own-rows.ts';
import { people } from './people.ts';
import { hostileClients } from './hostile-clients.ts';
import type { Step } from './step.ts';

const everywhere: Readonly<Record<string, Step>> = {
  ...people,
  ...ownRows,
  ...hostileClients,
  ...networkFaults,
  ...browserFaults,
  ...diskFaults,
  ...serverFaults,
  ...sessions,
  ...days,
};

/** Drawn only where devices hold the feed in part: the other seeds' plans are the same without them. */
const inParts: Readonly<Record<string, Step>> = { ...moves, ...corrections };

export const allSteps: Readonly<Record<string, Step>> = { ...everywhere, ...inParts };

/** Steps that need no device. */
export const onNoDevice: Readonly<Record<string, Step>> = {
  ...serverFaults,
  ...hostileClients,
  ...days,
  ...corrections,
};

/** One step of a run: when after the one before, on which device, what, and its own random numbers. */
export interface Planned {
  /** Its place in the whole plan, by which a shortened run names it. */
  at: number;
  gapMs: number;
  device: number;
  what: string;
  salt: number;
}

/** Times between steps come in three kinds: within one action of the program, within a second, and after a while. */
function gap(chance: SeededRandom): number {
  const kind = chance.below(10);
  if (kind < 4) return chance.below(30);
  return kind < 8 ? chance.below(1_500) : chance.below(25_000);
}

/** The steps, drawn before any runs, so that one can be left out and the others stay as they were. */
export function drawPlan(
  chance: SeededRandom,
  { steps, devices, isInPart }: { steps: number; devices: number; isInPart: boolean },
): Planned[] {
  const weighed = Object.entries(isInPart ? allSteps : everywhere);
  const total = weighed.reduce((sum, [, { weight }]) => sum + weight, 0);
  const where = (what: string) => {
    const among = allSteps[what]?.devices;
    return among === undefined ? chance.below(devices) : chance.pick(among);
  };
  const draw = () => {
    let left = chance.next() * total;
    for (const [what, { weight }] of weighed) {
      left -= weight;
      if (left < 0) return what;
    }
    return 'posts a job';
  };
  return Array.from({ length: steps }, (_none, at) => {
    const what = draw();
    return { at, gapMs: gap(chance), device: where(what), what, salt: chance.below(2 ** 30) };
  });
}
