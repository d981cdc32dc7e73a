/* `npm run simulate`: see docs/correctness.md. */
import { readArguments, refuse } from '../scripts/read-arguments.mjs';
import { reportMd } from './batch/report-md.ts';
import { runSeeds } from './batch/run-seeds.ts';
import { runPlantedBugs } from './planted-bugs/run-planted-bugs.ts';
import { printSeed } from './trace/print-seed.ts';

const usage = `npm run simulate -- --seed N [--steps M] [--only 3,17,42] [--plant "defect"]   one seed, told in words
npm run simulate -- --seeds A..B [--steps M] [--workers W] [--fresh]           many; goes on where it stopped
npm run simulate -- --planted-bugs [--few] [--plant "defect"] [--workers W]     every planted bug must be caught, or a few
npm run simulate -- --report-md                                                what was run here, as a table`;

const { values } = readArguments(usage, {
  seed: { type: 'string', isNumber: true },
  seeds: { type: 'string' },
  steps: { type: 'string', isNumber: true, default: '200' },
  only: { type: 'string' },
  plant: { type: 'string' },
  'planted-bugs': { type: 'boolean', default: false },
  few: { type: 'boolean', default: false },
  fresh: { type: 'boolean', default: false },
  report: { type: 'string' },
  'report-md': { type: 'boolean', default: false },
  workers: { type: 'string', isNumber: true },
});

const steps = Number(values.steps);
const workers = values.workers === undefined ? undefined : Number(values.workers);
const bounds = /^(\d+)\.\.(\d+)$/.exec(values.seeds ?? '');

if (values['report-md']) console.log(reportMd());
else if (values['planted-bugs'])
  process.exitCode = await runPlantedBugs({
    report: values.report,
    plant: values.plant,
    isShort: values.few,
    workers,
  });
else if (bounds !== null)
  process.exitCode = await runSeeds({
    from: Number(bounds[1]),
    to: Number(bounds[2]),
    steps,
    isFresh: values.fresh,
    report: values.report,
    workers,
  });
else if (values.seed !== undefined) {
  const only = values.only === 'none' ? [] : values.only?.split(',').map(Number);
  process.exitCode = await printSeed({
    seed: Number(values.seed),
    steps,
    plant: values.plant,
    ...(only === undefined ? {} : { only }),
  });
} else refuse(usage, 'What? One seed, many, or the planted bugs.');
