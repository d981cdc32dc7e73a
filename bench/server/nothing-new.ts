import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import type { Delta } from '../../shared/protocol/exchange.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import type { Database } from '../../sync-server/db/database.ts';
import { measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { openPlainClient, requestBytes } from './plain-client.ts';
import { cpuMs } from './process-cost.ts';
import { openServerWorld } from './server-world.ts';

const connections = 16;
const exchangesPerRun = 12_000;

/** A device that has everything, as the bytes of its request. */
async function readyRequest(port: number, token: string): Promise<Buffer> {
  const client = await openPlainClient(port);
  const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'gzip, br' };
  const { sub: userId } = decodeJwt(token);
  let cookie: string | null = null;
  let collections: Record<string, string | null> = { feed: null, directory: null, reference: null };
  const ask = () =>
    requestBytes(
      'POST',
      '/api/sync',
      headers,
      JSON.stringify({
        protocol: protocolVersion,
        schema: schemaVersion,
        userId,
        cookie,
        shelves: collections,
        mutations: [],
        awaiting: [],
      }),
    );
  for (let round = 0; round < 4; round += 1) {
    const plain = requestBytes(
      'POST',
      '/api/sync',
      { Authorization: headers.Authorization },
      JSON.stringify({
        protocol: protocolVersion,
        schema: schemaVersion,
        userId,
        cookie,
        shelves: collections,
        mutations: [],
        awaiting: [],
      }),
    );
    const { status, body } = await client.ask(plain);
    if (status !== 200) throw new Error(`exchange answered ${status}: ${body.toString()}`);
    const answer = JSON.parse(body.toString()) as Delta;
    cookie = answer.cookie;
    collections = Object.fromEntries(
      Object.entries(answer.shelves).map(([name, collection]) => [
        name,
        'manifest' in collection ? collection.manifest.version : 'version' in collection ? collection.version : null,
      ]),
    );
  }
  client.close();
  return ask();
}

/** Transactions of the database so far. PostgreSQL counts those of the others with a second's delay. */
async function transactions(database: Database): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { rows } = await sql<{
    n: string;
  }>`select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()`.execute(
    database.sql,
  );
  return Number(rows[0]?.n);
}

/** B10: many devices ask whether anything is new, and nothing is. */
export const nothingNew: Workload = {
  ids: ['B10'],
  async run(fixture) {
    const { server, database, tradies } = await openServerWorld(fixture, 2_000);
    const requests = await Promise.all(tradies.slice(0, 100).map(({ token }) => readyRequest(server.port, token)));
    const clients = await Promise.all(Array.from({ length: connections }, () => openPlainClient(server.port)));
    const wall: number[] = [];
    const core: number[] = [];
    const before = await transactions(database);
    for (let run = -1; run < fixture.runs; run += 1) {
      let left = exchangesPerRun;
      const [began, used] = [performance.now(), cpuMs(server.pid())];
      await Promise.all(
        clients.map(async (client) => {
          for (; left > 0;) {
            left -= 1;
            const { status } = await client.ask(requests[left % requests.length]!);
            if (status !== 200) throw new Error(`answered ${status}`);
          }
        }),
      );
      if (run < 0) continue;
      wall.push((exchangesPerRun / (performance.now() - began)) * 1_000);
      core.push((exchangesPerRun / (cpuMs(server.pid()) - used)) * 1_000);
    }
    const asked = (await transactions(database)) - before;
    for (const client of clients) client.close();
    return [
      measure({
        id: 'B10',
        name: 'Exchanges with nothing new, one server process',
        unit: '/s',
        runs: wall,
        target: { words: '>= 2,000/s', atLeast: 2_000 },
      }),
      measure({ id: 'B10', name: '… for each second of CPU the server used', unit: '/s', runs: core }),
      measure({
        id: 'B10',
        name: `… transactions the database saw in ${(exchangesPerRun * (fixture.runs + 1)).toLocaleString('en-NZ')} of them (building snapshots and the like are its own)`,
        unit: '',
        runs: [asked],
        target: { words: 'none for them', max: 60 },
      }),
    ];
  },
};
