import type { Delta } from '../../shared/protocol/exchange.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { openInspector } from './heap-inspector.ts';
import { openPlainClient, requestBytes, type PlainAnswer, type PlainClient } from './plain-client.ts';
import { cpuMs, memoryMb } from './process-cost.ts';
import { openServerWorld, type ServerWorld } from './server-world.ts';

const devices = 1_000;
const segmentsAtOnce = 2;

/** As a device does when it is told to retry. */
async function askPatiently(client: PlainClient, request: Buffer): Promise<PlainAnswer> {
  for (;;) {
    const answer = await client.ask(request);
    if (answer.status === 200) return answer;
    if (answer.status !== 503) throw new Error(`answered ${answer.status}: ${answer.body.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

/**
 * One new device: its private rows, the manifest, the feed's segments newest first, two at a time. Returns the bytes it
 * received.
 */
async function comeIn({ server, tradies }: ServerWorld, at: number): Promise<number> {
  const { id: userId, token } = tradies[at % tradies.length]!;
  const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'gzip, deflate, br' };
  const setupClient = await openPlainClient(server.port);
  const asked = JSON.stringify({
    protocol: protocolVersion,
    schema: schemaVersion,
    userId,
    cookie: null,
    shelves: { feed: null },
    mutations: [],
    awaiting: [],
  });
  const first = await askPatiently(
    setupClient,
    requestBytes('POST', '/api/sync', { Authorization: headers.Authorization }, asked),
  );
  const { feed } = (JSON.parse(first.body.toString()) as Delta).shelves;
  if (feed === undefined || !('manifest' in feed)) throw new Error('no manifest');
  const waiting = [...feed.manifest.segments];
  let bytes = first.bytes;
  // Not before they are needed: a connection without a request for twenty seconds is closed.
  const clients = [
    setupClient,
    ...(await Promise.all(Array.from({ length: segmentsAtOnce - 1 }, () => openPlainClient(server.port)))),
  ];
  await Promise.all(
    clients.map(async (client) => {
      for (let segment = waiting.shift(); segment !== undefined; segment = waiting.shift()) {
        bytes += (await askPatiently(client, requestBytes('GET', `/api/sync/shelves/feed/${segment.hash}`, headers)))
          .bytes;
      }
      client.close();
    }),
  );
  return bytes;
}

/**
 * B11: a thousand new devices load the whole feed at once. The heap is measured after thousands of its own: measuring
 * collects the garbage, which would change what the others cost.
 */
export const manyNewcomers: Workload = {
  ids: ['B11'],
  async run(fixture) {
    const world = await openServerWorld(fixture, 20_000);
    const pid = world.server.pid();
    const cpu: number[] = [];
    const resident: number[] = [];
    const held: number[] = [];
    const thousand = () => Promise.all(Array.from({ length: devices }, (_, at) => comeIn(world, at)));
    let megabytes = 0;
    for (let at = 0; at < 20; at += 1) megabytes = (await comeIn(world, at)) / 1e6;
    const atRest = memoryMb(pid);
    for (let run = 0; run < fixture.runs; run += 1) {
      const used = cpuMs(pid);
      await thousand();
      cpu.push((cpuMs(pid) - used) / devices);
      resident.push(memoryMb(pid));
    }
    const inspector = await openInspector(world.server);
    const before = await inspector.heldMb();
    for (let run = 0; run < fixture.runs; run += 1) {
      await thousand();
      held.push(await inspector.heldMb());
    }
    inspector.close();
    return [
      measure({
        id: 'B11',
        name: `Server CPU for each of 1,000 new devices that take the feed of 20,000 jobs at once (${megabytes.toFixed(1)} MB each)`,
        unit: 'ms',
        runs: cpu,
        target: { words: '<= 5 ms', max: 5 },
      }),
      measure({
        id: 'B11',
        name: `… JavaScript heap the server holds after each further thousand, garbage collected (${before.toFixed(1)} MB before)`,
        unit: 'MB',
        runs: held,
        target: { words: 'flat: within 5 %', max: before * 1.05 },
      }),
      measure({
        id: 'B11',
        name: `… its resident memory meanwhile, garbage and all (${atRest.toFixed(0)} MB before the first)`,
        unit: 'MB',
        runs: resident,
      }),
    ];
  },
};
