/* `npm run stress`: many servers, real PostgreSQL, kills under load. See docs/scaling.md. */
import { readArguments } from '../../scripts/read-arguments.mjs';
import { runStress } from './run-stress.ts';
import { openStressDatabase } from './stress-database.ts';

const number = (usual: string) => ({ type: 'string', isNumber: true, default: usual }) as const;
const use = 'npm run stress [-- --servers N --people N --changes N --kills N --cuts N --seed N]';
const { values } = readArguments(use, {
  servers: number('3'),
  people: number('12'),
  changes: number('20000'),
  kills: number('60'),
  cuts: number('200'),
  seed: number('1'),
});

const say = (line: string) => void process.stdout.write(`${line}\n`);
const { url, database, close } = await openStressDatabase();
const { servers, people, changes, kills, cuts, seed } = values;
const report = await runStress({
  database,
  url,
  say,
  servers: Number(servers),
  people: Number(people),
  changes: Number(changes),
  kills: Number(kills),
  cuts: Number(cuts),
  seed: Number(seed),
});
await close();
const { faults, ...figures } = report;
for (const fault of faults) say(`WRONG: ${fault}`);
say(JSON.stringify({ ...figures, faults: faults.length }));
say(faults.length === 0 ? 'Nothing lost, nothing doubled, nothing acknowledged early.' : `${faults.length} faults.`);
process.exit(faults.length === 0 ? 0 : 1);
