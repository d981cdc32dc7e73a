import type { SyncEvent } from '../../app/sync/ports.ts';
import { makeReference, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { createId } from '../../shared/lib/id.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import type { User } from '../../shared/tables/index.ts';
import { systemRows, type SystemRows } from '../../sync-server/sync/as-system.ts';
import { createDevice, endWorker, type Device, type Page } from '../device/device.ts';
import { openPage as openPageOn } from '../device/open-page.ts';
import { openWorker } from '../device/open-worker.ts';
import type { TabWorld } from '../device/open-tab.ts';
import { i17Sent } from '../checker/i17-apart.ts';
import { createAuthServer, type AuthServer } from '../server/auth-server.ts';
import { createBucket, type Bucket } from '../server/bucket.ts';
import { createDecisions, type Decisions } from '../checker/decisions.ts';
import { createChecker, type Checker } from '../checker/checker.ts';
import { answerHttp } from '../server/http-front.ts';
import type { Question, Said } from '../server/wire.ts';
import { createCluster, type Cluster } from '../server/cluster.ts';
import { createProcess, type Loop } from '../time/loop.ts';
import { networkError } from '../network/link.ts';
import type { Backend } from './backend.ts';
import { chanceOf } from './chance.ts';
import { geographyOf, type Geography } from './geography.ts';
import { heldIsMade } from './held-is-made.ts';
import { signIn } from './sign-in.ts';
import type { Counters } from './counters.ts';

export const epochMs = Date.UTC(2026, 4, 1);
export const categories = ['spouting', 'fencing'] as const;
const servers = 2;

export interface World {
  readonly seed: number;
  readonly loop: Loop;
  readonly counters: Counters;
  readonly backend: Backend;
  readonly cluster: Cluster;
  readonly auth: AuthServer;
  readonly checker: Checker;
  readonly decisions: Decisions;
  readonly devices: readonly Device[];
  readonly people: Readonly<Record<'aroha' | 'hemi' | 'wiremu' | 'mere', string>>;
  readonly bucket: Bucket;
  readonly geography: Geography;
  /** What devices' programs tell. */
  readonly tabWorld: TabWorld;
  /** The servers' clock. */
  now(): Date;
  openPage(device: Device): Page;
  /** A sync event for the device's service worker, which is ended so many milliseconds later at the latest, if any. */
  wakeWorker(device: Device, endsAfter: number | undefined): void;
  /** What the system learnt by itself, written as the product writes it. */
  system<T>(work: (rows: SystemRows) => Promise<T>): Promise<T>;
}

export interface WorldParts {
  seed: number;
  counters: Counters;
  pageSize: number;
  backendOver(loop: Loop, clock: () => Date): Promise<Backend>;
}

/**
 * People, devices, servers and a database, all in this process and in virtual time. The caller has replaced the timers
 * for `loop`.
 */
export async function createWorld(loop: Loop, { seed, counters, pageSize, backendOver }: WorldParts): Promise<World> {
  const chance = chanceOf(seed, 'world');
  const geography = geographyOf(seed);
  const { towns, heldWholeUpTo } = geography;
  const now = () => new Date(epochMs + loop.now());
  const backend = await backendOver(loop, now);
  const decisions = createDecisions(counters, (violation) => checker.accuse(violation));
  backend.onWrites(decisions.take);
  const auth = createAuthServer(now);
  const bucket = createBucket((path, file) => checker.stored(path, file));
  const cluster = createCluster({
    loop,
    clock: now,
    pageSize,
    heldWholeUpTo,
    storeFor: backend.storeFor,
    onAsked: (userId, mutations) => checker.meaning.asked(userId, mutations),
    onKilled: backend.forget,
    onLog: (text) => counters.count(`server: ${text}`),
  });
  backend.onKill((proc) => {
    const instance = cluster.running().find((running) => running.proc === proc);
    if (instance === undefined) return false;
    cluster.kill(instance);
    loop.after(2_000, cluster.start);
    return true;
  });
  const operator = backend.storeFor(createProcess('operator'));
  const system: World['system'] = (work) => operator.write((tx) => work(systemRows(tx)));
  const ids = seededRandom(seed);
  const newId = () => createId(epochMs, ids);
  const person = (changes: Partial<User>): User => {
    const id = newId();
    return makeUser({
      id,
      email: `secret-${id.slice(-8)}@example.nz`,
      firstName: `First${id.slice(-8)}`,
      createdAt: now().toISOString(),
      ...changes,
    });
  };
  const [aroha, hemi] = [person({}), person({})];
  const tradies = [person({ subscriptionStatus: 'active' }), person({ subscriptionStatus: 'trialing' })];
  const [wiremu, mere] = tradies as [User, User];
  for (const { id, email } of [aroha, hemi, wiremu, mere]) auth.register(id, email);

  async function settle(): Promise<void> {
    await system(async ({ insert }) => {
      for (const id of categories)
        await insert('reference' as never, makeReference({ id, createdAt: now().toISOString() }) as never);
      for (const town of towns)
        await insert(
          'reference' as never,
          makeReference({ ...town, kind: 'location', createdAt: now().toISOString() }) as never,
        );
      for (const user of [aroha, hemi]) await insert('users', user);
    });
    for (const user of tradies) {
      const profile = makeTradie({
        id: newId(),
        userId: user.id,
        email: `contact-${user.id.slice(-8)}@example.nz`,
        contactPhone: '+64211234567',
        isVerified: true,
        createdAt: now().toISOString(),
      });
      await system(async ({ insert, update }) => {
        await insert('users', user);
        await insert('tradies', profile);
        await update('users', user, { tradieId: profile.id });
      });
    }
    for (let at = 0; at < servers; at += 1) cluster.start();
    while (cluster.running().length < servers) await loop.pause(10);
  }

  function serve(question: Question): Promise<Said> {
    const running = cluster.running();
    const instance = running[chance.below(Math.max(1, running.length))];
    if (instance === undefined) return Promise.reject(networkError());
    return new Promise((resolve, reject) => {
      const lost = () => {
        instance.connections.delete(lost);
        reject(networkError());
      };
      instance.connections.add(lost);
      answerHttp(instance, { auth, bucket, onAnswered: checker.answered, onAsked: checker.asked }, question).then(
        (said) => {
          instance.connections.delete(lost);
          resolve(said);
        },
        reject,
      );
    });
  }

  const checker = createChecker({
    backend,
    decisions,
    bucket,
    counters,
    lists: { locations: towns.map(({ id }) => id), categories },
    now: loop.now,
  });
  const device = (name: string, people: readonly string[]): Device => {
    const made = createDevice({
      name,
      people,
      loop,
      counters,
      epochMs,
      serve,
      chance: chanceOf(seed, name, 'link'),
      onStruck: (kind) => counters.count(`fault: disk ${kind}`),
    });
    checker.watchDisk(made);
    return made;
  };
  const devices = [
    device('the family tablet', [aroha.id, hemi.id]),
    device('Aroha’s laptop', [aroha.id]),
    device('Hemi’s phone', [hemi.id]),
    device('Wiremu’s phone', [wiremu.id]),
    device('Mere’s phone', [mere.id]),
    device('Wiremu’s computer', [wiremu.id]),
  ];

  const tabWorld: TabWorld = {
    seed,
    auth,
    schemaOf: (of) => (of.isOldApp ? 0 : 1),
    onEvent: hear,
    onLog: (event) => counters.count(event.startsWith('unforeseen') ? event : `session: ${event}`),
    onOpened: (tab) => checker.watchTab(tab),
    onScreen: (tab) => checker.watchScreen(tab),
    onSent: (tab, url, init) => {
      if (url === '/api/sync') counters.count('an exchange asked');
      const violation = i17Sent(tab, url, init, checker.makerOf);
      if (violation !== undefined) checker.accuse(violation);
    },
    onHeldMade: (tab, made) => heldIsMade({ checker, counters }, tab, made),
    onReceived: checker.received,
  };

  function hear(event: SyncEvent): void {
    if (event.kind === 'log') counters.count(`client: ${event.event}`);
  }

  const world: World = {
    seed,
    loop,
    counters,
    backend,
    cluster,
    auth,
    checker,
    decisions,
    devices,
    bucket,
    geography,
    tabWorld,
    now,
    people: { aroha: aroha.id, hemi: hemi.id, wiremu: wiremu.id, mere: mere.id },
    openPage: (on) => {
      const page = openPageOn(on, tabWorld);
      on.pages.push(page);
      return page;
    },
    wakeWorker: (on, endsAfter) => {
      const { proc, done } = openWorker(on, tabWorld);
      on.workers.push(proc);
      if (endsAfter !== undefined) {
        loop.after(endsAfter, () => {
          if (proc.state !== 'dead') counters.count('fault: worker killed');
          endWorker(on, proc);
        });
      }
      done
        .then(
          (left) => counters.count(left === 0 ? 'the worker: nothing waits' : 'the worker: some still waits'),
          () => counters.count('the worker: could not read'),
        )
        .finally(() => endWorker(on, proc));
    },
    system,
  };
  const ready = settle();
  // The set-up itself needs virtual time.
  let isReady = false;
  ready.then(
    () => (isReady = true),
    () => (isReady = true),
  );
  while (!isReady) await loop.pass(50);
  await ready;
  for (const each of devices) signIn(world, world.openPage(each), each.userId);
  while (devices.some(({ tabs }) => tabs.length === 0)) await loop.pass(500);
  await loop.pass(3_000);
  return world;
}
