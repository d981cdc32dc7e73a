import { runBatch, range } from '../batch/run-batch.ts';
import { writeTally } from '../batch/write-tally.ts';
import { defects, type Defect } from './defects.ts';

/** Within so many seeds each planted defect must be caught. */
export const zooSeeds = 60;
const steps = 200;

interface Caught {
  seeds: number;
  invariant: string;
  message: string;
}

/** Plants every defect in turn, or one of them. 0 where each was caught within `zooSeeds` seeds, by an invariant that should catch it. */
export async function runZoo({ report, plant }: { report?: string | undefined; plant?: string | undefined }): Promise<number> {
  let missed = 0;
  const planted = defects.filter(({ name }) => plant === undefined || name === plant);
  for (const defect of planted) {
    const caught = await hunt(defect);
    const isRight = caught !== undefined && (defect.caughtBy as readonly string[]).includes(caught.invariant);
    if (!isRight) missed += 1;
    console.log(`${isRight ? 'caught' : 'MISSED'}  ${defect.name}: ${caught === undefined ? `not in ${zooSeeds} seeds` : `after ${caught.seeds} seeds, ${caught.message.slice(0, 160)}`}`);
  }
  console.log(`\n${planted.length - missed} of ${planted.length} planted defects were caught`);
  writeTally(report, { passed: planted.length - missed, failed: missed });
  return missed === 0 ? 0 : 1;
}

async function hunt(defect: Defect): Promise<Caught | undefined> {
  let seeds = 0;
  let caught: Caught | undefined;
  await runBatch({
    seeds: range(1, zooSeeds),
    steps,
    defect: defect.name,
    onEnded: ({ violation }) => {
      seeds += 1;
      if (violation !== undefined && (caught === undefined || (defect.caughtBy as readonly string[]).includes(violation.invariant))) {
        caught = { seeds, invariant: violation.invariant, message: violation.message };
      }
      return caught === undefined || !(defect.caughtBy as readonly string[]).includes(caught.invariant);
    },
  });
  return caught;
}
