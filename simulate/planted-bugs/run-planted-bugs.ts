import pLimit from 'p-limit';
import { runBatch, range, workersHere } from '../batch/run-batch.ts';
import { writeTally } from '../batch/write-tally.ts';
import type { Defect } from './defect.ts';
import { defects, fewDefects } from './defects.ts';
import { runTested } from './run-tested.ts';

/** Within so many seeds each planted bug must be caught. */
export const plantedBugSeeds = 150;
const steps = 200;

export interface Caught {
  seed: number;
  invariant: string;
  message: string;
}

export interface PlantedBugRun {
  report?: string | undefined;
  /** This bug alone. */
  plant?: string | undefined;
  /** A few that seeds must meet, instead of all. */
  isShort?: boolean;
  /** Bugs searched for at a time. */
  workers?: number | undefined;
}

/**
 * Plants every bug in turn, a few, or one of them. 0 where each was caught: within `plantedBugSeeds` seeds by an
 * invariant that should catch it, or by the test that is named beside it.
 */
export async function runPlantedBugs({
  report,
  plant,
  isShort = false,
  workers = workersHere(),
}: PlantedBugRun): Promise<number> {
  const planted = (isShort ? fewDefects() : defects).filter(({ name }) => plant === undefined || name === plant);
  let missed = 0;
  await pLimit(workers).map(planted, async (defect) => {
    const caught = await hunt(defect);
    const isRight = caught !== undefined && isCatcher(defect, caught.invariant);
    if (!isRight) missed += 1;
    console.log(
      `${isRight ? 'caught' : 'MISSED'}  ${defect.name}: ${caught === undefined ? `not in ${plantedBugSeeds} seeds` : `in seed ${caught.seed}${laterThan(defect, caught.seed)}, ${caught.message.slice(0, 160)}`}`,
    );
  });
  const tested = isShort ? { caught: 0, missed: 0 } : await runTested(plant);
  const [caught, all] = [planted.length - missed + tested.caught, planted.length + tested.caught + tested.missed];
  console.log(`\n${caught} of ${all} planted defects were caught, ${tested.caught} of them by a test`);
  writeTally(report, { passed: caught, failed: all - caught });
  return caught === all && all > 0 ? 0 : 1;
}

/** Seeds give other runs once the code has changed: the search should then begin elsewhere. */
function laterThan({ from = 1 }: Defect, seed: number): string {
  return seed - from >= 5 ? ` (from: ${seed} would have saved ${seed - from} seeds)` : '';
}

const isCatcher = ({ caughtBy }: Defect, invariant: string) => (caughtBy as readonly string[]).includes(invariant);

/**
 * Continues where a rule that should not catch it was broken first: the one that should must be able to. Returns the
 * last seed where none was.
 */
async function hunt(defect: Defect): Promise<Caught | undefined> {
  const { from = 1 } = defect;
  let caught: Caught | undefined;
  await runBatch({
    seeds: range(from, from + plantedBugSeeds - 1),
    steps,
    defect: defect.name,
    workers: 1,
    onEnded: ({ seed, violation }) => {
      if (violation !== undefined) caught = { seed, invariant: violation.invariant, message: violation.message };
      return caught === undefined || !isCatcher(defect, caught.invariant);
    },
  });
  return caught;
}
