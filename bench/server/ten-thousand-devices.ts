import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { createId } from '../../shared/lib/id.ts';
import type { Delta } from '../../shared/protocol/exchange.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { measure, percentile } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { trueRandom } from '../world/random.ts';
import { openPlainClient, requestBytes } from './plain-client.ts';
import { openInspector } from './heap-inspector.ts';
import { cpuMs, memoryMb } from './process-cost.ts';
import { openServerWorld } from './server-world.ts';

const streams = 10_000;
/** One person may hold twelve streams. */
const peopleOfEachKind = 500;
/** A server takes 2,000 connections of one address. */
const perAddress = 1_500;
/** Commits whose pokes to all readers are timed. */
const pokesTimed = 5;
const clients = 24;
const callsPerRun = 600;

/** A device that only listens, and asks to be sent changes, as phones do. */
function listen(port: number, token: string, at: number, heard: () => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'X-Device-Id': `bench-device-${at}`,
      Accept: 'text/event-stream',
    };
    const localAddress = `127.0.0.${2 + Math.floor(at / perAddress)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () =>
      socket.write(requestBytes('GET', '/api/sync/poke?changes=1', headers)),
    );
    socket.once('data', () => resolve(socket));
    socket.on('data', (chunk) => {
      for (let pokes = chunk.toString('latin1').split('event: poke').length - 1; pokes > 0; pokes -= 1) heard();
    });
    socket.once('error', reject);
  });
}

/** LOAD: ten thousand devices listen to one process, while people post, edit, pull and load everything anew. */
export const tenThousandDevices: Workload = {
  ids: ['LOAD'],
  async run(fixture) {
    const { server, database, tradies, homeowners } = await openServerWorld(fixture, 5_000, peopleOfEachKind);
    const people = [...tradies, ...homeowners];
    const random = seededRandom(1);
    let pokes = 0;
    let errors = 0;
    let turnedAway = 0;
    const inspector = await openInspector(server);
    const heapAlone = await inspector.heldMb();
    const alone = memoryMb(server.pid());
    const sockets: Socket[] = [];
    for (let at = 0; at < streams; at += 50) {
      sockets.push(
        ...(await Promise.all(
          Array.from({ length: 50 }, (_, and) =>
            listen(server.port, people[(at + and) % people.length]!.token, at + and, () => void (pokes += 1)),
          ),
        )),
      );
    }
    fixture.say(`${sockets.length} devices listen`);
    // Those that connected late are poked once they are known.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const heapEach = ((await inspector.heldMb()) - heapAlone) * (1e6 / streams / 1e3);
    const memoryEach = ((memoryMb(server.pid()) - alone) * 1024) / streams;
    const spread: number[] = [];
    const spreadCpu: number[] = [];
    const readers = sockets.filter((_, at) => at % people.length < tradies.length).length;
    for (let time = 0; time < pokesTimed; time += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const [heard, began, used] = [pokes, performance.now(), cpuMs(server.pid())];
      await sql`update jobs set interest_count = interest_count + 1 where id = (select id from jobs where status = 'active' limit 1)`.execute(
        database.sql,
      );
      while (pokes < heard + readers) await new Promise((resolve) => setTimeout(resolve, 1));
      spread.push(performance.now() - began);
      spreadCpu.push(cpuMs(server.pid()) - used);
    }
    const slow: number[] = [];
    const memory: number[] = [];
    for (let run = 0; run < fixture.runs; run += 1) {
      const taken: number[] = [];
      let left = callsPerRun;
      await Promise.all(
        Array.from({ length: clients }, async (_, which) => {
          const client = await openPlainClient(server.port);
          const cookies = new Map<string, string>();
          for (; left > 0;) {
            left -= 1;
            const chance = random.next();
            const { id, token } = chance < 0.2 ? homeowners[which]! : people[random.below(people.length)]!;
            const isNew = chance > 0.97;
            const mutations =
              chance < 0.2
                ? [
                    {
                      uid: randomUUID(),
                      name: 'job.post',
                      args: {
                        id: createId(Date.now(), trueRandom),
                        title: 'Replace spouting',
                        description: 'About 14 metres.',
                        locationId: 'southland/winton',
                        urgency: 'soon',
                        categoryId: 'spouting',
                      },
                      at: new Date().toISOString(),
                    },
                  ]
                : [];
            const body = {
              protocol: protocolVersion,
              schema: schemaVersion,
              userId: id,
              cookie: isNew ? null : (cookies.get(id) ?? null),
              shelves: isNew ? { feed: null } : {},
              mutations,
              awaiting: [],
            };
            const began = performance.now();
            const { status, body: bytes } = await client.ask(
              requestBytes('POST', '/api/sync', { Authorization: `Bearer ${token}` }, JSON.stringify(body)),
            );
            taken.push(performance.now() - began);
            if (status === 200) cookies.set(id, (JSON.parse(bytes.toString()) as Delta).cookie);
            else if (status === 503 || status === 429) turnedAway += 1;
            else errors += 1;
          }
          client.close();
        }),
      );
      slow.push(percentile(taken, 95));
      memory.push(memoryMb(server.pid()));
    }
    const stillThere = sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length;
    for (const socket of sockets) socket.destroy();
    inspector.close();
    const name = `10,000 listening devices, ${clients} that post, look again and come anew`;
    return [
      measure({ id: 'LOAD', name: `${name}: 95th percentile of an exchange`, unit: 'ms', runs: slow }),
      measure({
        id: 'LOAD',
        name: `… answers that were errors (${turnedAway} were 429 or 503), streams lost`,
        unit: '',
        runs: [errors + streams - stillThere],
        target: { words: '0', max: 0 },
      }),
      measure({ id: 'LOAD', name: `… pokes delivered`, unit: '', runs: [pokes] }),
      measure({
        id: 'LOAD',
        name: '… resident memory of the server for each listener, garbage collected',
        unit: 'kB',
        runs: [memoryEach],
        target: { words: '<= 20 kB', max: 20 },
      }),
      measure({ id: 'LOAD', name: '… of it JavaScript heap', unit: 'kB', runs: [heapEach] }),
      measure({
        id: 'LOAD',
        name: `… from a commit that all ${readers.toLocaleString('en-NZ')} tradies may see until the last has its poke`,
        unit: 'ms',
        runs: spread,
      }),
      measure({ id: 'LOAD', name: '… CPU of the server for that', unit: 'ms', runs: spreadCpu }),
      measure({
        id: 'LOAD',
        name: `… server memory after each run (${alone.toFixed(0)} MB before any device came)`,
        unit: 'MB',
        runs: memory,
      }),
    ];
  },
};
