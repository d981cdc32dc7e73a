import { register } from '../planted-bugs/register.ts';
import type { Run } from '../run-seed.ts';
import { commandFor, shrink, describeRun } from './shrink.ts';

/** One seed, printed step by step; where it breaks a rule, its shortest failing run. 0 where it does not. */
export async function printSeed({ plant, ...run }: Run & { plant: string | undefined }): Promise<number> {
  register(plant);
  const { runSeed } = await import('../run-seed.ts');
  const ended = await runSeed(run);
  for (const { at, text } of ended.trace) console.log(`${String(at).padStart(4)}  ${text}`);
  console.log(
    `\n${(ended.virtualMs / 60_000).toFixed(1)} virtual minutes in ${(ended.cpuMs / 1000).toFixed(1)} s of one core`,
  );
  if (ended.violation === undefined) {
    console.log('No rule was broken.');
    return 0;
  }
  console.log(`${ended.violation.message}\n`);
  if (run.only === undefined) console.log(describeRun(await shrink({ seed: run.seed, steps: run.steps, plant })));
  else console.log(commandFor(run.seed, run.steps, run.only, plant));
  return 1;
}
