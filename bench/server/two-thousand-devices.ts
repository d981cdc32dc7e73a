import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { createId } from '../../shared/lib/id.ts';
import type { Delta } from '../../shared/protocol/exchange.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { measure, percentile } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { trueRandom } from '../world/random.ts';
import { openPlainClient, requestBytes } from './plain-client.ts';
import { memoryMb } from './process-cost.ts';
import { openServerWorld } from './server-world.ts';

const streams = 2_000;
const clients = 24;
const callsPerRun = 600;

/** A device that only listens. */
function listen(port: number, token: string, heard: () => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(requestBytes('GET', '/api/sync/poke', { Authorization: `Bearer ${token}` })),
    );
    socket.once('data', () => resolve(socket));
    socket.on('data', (chunk) => {
      for (let pokes = chunk.toString('latin1').split('event: poke').length - 1; pokes > 0; pokes -= 1) heard();
    });
    socket.once('error', reject);
  });
}

/** LOAD: two thousand devices listen, and people post, edit, pull and load everything anew, all at once. */
export const twoThousandDevices: Workload = {
  ids: ['LOAD'],
  async run(fixture) {
    const { server, tradies, homeowners } = await openServerWorld(fixture, 5_000);
    const people = [...tradies, ...homeowners];
    const random = seededRandom(1);
    let pokes = 0;
    let errors = 0;
    let turnedAway = 0;
    const alone = memoryMb(server.pid());
    const sockets: Socket[] = [];
    for (let at = 0; at < streams; at += 50) {
      sockets.push(
        ...(await Promise.all(
          Array.from({ length: 50 }, (_, and) =>
            listen(server.port, people[(at + and) % people.length]!.token, () => void (pokes += 1)),
          ),
        )),
      );
    }
    fixture.say(`${sockets.length} devices listen`);
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
    const name = `2,000 listening devices, ${clients} that post, look again and come anew`;
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
        name: `… server memory after each run (${alone.toFixed(0)} MB before any device came)`,
        unit: 'MB',
        runs: memory,
      }),
    ];
  },
};
