/* `npm run stress`: many servers, real PostgreSQL, kills under load. See docs/scaling.md. */
import { parseArgs } from 'node:util';
import { runStress } from './run-stress.ts';
import { openStressDatabase } from './stress-database.ts';

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '3' },
    people: { type: 'string', default: '12' },
    changes: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '60' },
    cuts: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});

const say = (line: string) => void process.stdout.write(`${line}\n`);
const { url, database, close } = await openStressDatabase();
const { servers, people, changes, kills, cuts, seed } = values;
const report = await runStress({
  database, url, say,
  servers: Number(servers), people: Number(people), changes: Number(changes), kills: Number(kills), cuts: Number(cuts), seed: Number(seed),
});
await close();
const { faults, ...figures } = report;
for (const fault of faults) say(`WRONG: ${fault}`);
say(JSON.stringify({ ...figures, faults: faults.length }));
say(faults.length === 0 ? 'Nothing lost, nothing doubled, nothing acknowledged early.' : `${faults.length} faults.`);
process.exit(faults.length === 0 ? 0 : 1);
