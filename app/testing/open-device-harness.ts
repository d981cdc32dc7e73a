import { must } from '../../shared/lib/must.ts';
import type { Tradie, User } from '../../shared/tables/index.ts';
import { makeTradie, makeUser, makeTestId } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { systemClock, type Clock } from '../db/clock.ts';
import type { Commit } from '../db/note-commits.ts';
import type { CommitChannel } from '../db/private-rows.ts';
import { openPersonDb, personDbName, type PersonDb } from '../db/person-db.ts';
import { createSync, type Sync } from '../sync/create-sync.ts';
import { createHttpTransport } from '../sync/http-transport.ts';
import { createTrace } from '../sync/trace.ts';
import type { ChannelPort, LocksPort, CollectionsPort, SyncEvent, SyncPorts } from '../sync/ports.ts';
import { fakeChannel } from './fake-channel.ts';
import { fakeLocks } from './fake-locks.ts';
import { fakeNetwork, type FakeNetwork, type InFlight } from './fake-network.ts';
import { createDeviceServer, type DeviceServer } from '../../sync-server/testing/device-server.ts';
import { memoryCollections } from './memory-collections.ts';

/** One tab (or worker) on a phone. */
export interface Tab {
  readonly db: PersonDb;
  readonly sync: Sync;
  readonly collections: CollectionsPort;
  readonly events: readonly SyncEvent[];
  setVisible(isVisible: boolean): void;
  /** Ends without any clean-up, as when the browser is killed; what was on disk stays. */
  kill(): Promise<void>;
}

export interface Phone extends Tab {
  readonly name: string;
  readonly userId: string;
  goOffline(): void;
  goOnline(): void;
  /** The server is not there from now on, and the line is. */
  loseServer(): void;
  /** Lets each request wait for the test from now on: see `inFlight`. */
  hold(): void;
  inFlight(): readonly InFlight[];
  /** Another tab of the same browser. */
  openTab(): Promise<Tab>;
  /** Kills the tab and opens the app again on what is on the disk. */
  reopen(): Promise<void>;
  /** Resolves when no exchange is under way, or when one waits for the test. */
  settle(): Promise<void>;
}

export interface DeviceHarnessOptions {
  /** A `manualClock` where the test controls time; real time otherwise. */
  clock?: Clock;
  seed?: number;
  /** The device's own collections over a tab's database, instead of ones in memory. */
  collections?: (tab: { db: PersonDb; fetch: typeof globalThis.fetch; userId: string }) => CollectionsPort;
  /** One for each phone. */
  locks?: () => LocksPort;
  /** Changes to the ports of every tab. */
  ports?: Partial<SyncPorts>;
  /** Lets exchanges carry ids by which they are found in the logs, as in the product. */
  traced?: boolean;
}

export interface DeviceHarness {
  readonly server: DeviceServer;
  readonly network: FakeNetwork;
  readonly clock: Clock;
  addHomeowner(changes?: Partial<User>): User;
  /** Adds a tradie with a running subscription, unless changed. */
  addTradie(changes?: Partial<User>, profile?: Partial<Tradie>): User;
  /**
   * A phone of this person's, signed in and running; each call opens another. `disk`: the database's name, where there
   * is one already.
   */
  as(person: User, disk?: string): Promise<Phone>;
  /** Wakes these phones (all, if none is named) and waits until each has nothing left to do. */
  sync(...phones: Phone[]): Promise<void>;
  goOffline(...phones: Phone[]): void;
  goOnline(...phones: Phone[]): void;
  /** Stops and deletes every device. */
  close(): Promise<void>;
}

/** A server with the real rules and as many phones as a test likes, in one process. */
export async function openDeviceHarness(options: DeviceHarnessOptions = {}): Promise<DeviceHarness> {
  const clock = options.clock ?? systemClock;
  const random = seededRandom(options.seed ?? 11);
  const harnessId = makeTestId();
  const server = createDeviceServer(clock);
  const network = fakeNetwork(server);
  const phones: Phone[] = [];

  function openTab(
    phone: { name: string; userId: string },
    device: Pick<SyncPorts, 'locks'> & {
      channel: () => ChannelPort;
      commits: () => CommitChannel;
    },
  ): Tab {
    const { name, userId } = phone;
    const db = openPersonDb(userId, { name, commits: device.commits() });
    const fetch = network.fetchFor(name);
    const collections = options.collections?.({ db, fetch, userId }) ?? memoryCollections(server.collections.segment);
    const events: SyncEvent[] = [];
    let token = network.freshToken(userId);
    let isVisible = true;
    const sync = createSync({
      db,
      userId,
      clock,
      random,
      collections,
      transport: createHttpTransport({
        url: '/api/sync',
        fetch,
        token: async () => token,
        trace: options.traced === true ? createTrace(db) : undefined,
      }),
      session: {
        isReady: async () => true,
        refresh: async () => {
          if (['offline', 'dead'].includes(network.mode(name))) return 'network';
          token = network.freshToken(userId);
          return 'refreshed';
        },
      },
      locks: device.locks,
      channel: device.channel(),
      pokes: (onPoke, signal) => {
        const stop = server.onCommit(() => {
          if (network.mode(name) === 'online') onPoke();
        });
        signal.addEventListener('abort', stop);
      },
      isVisible: () => isVisible,
      seemsOnline: () => network.mode(name) !== 'offline',
      onEvent: (event) => void events.push(event),
      ...options.ports,
    });
    return {
      db,
      sync,
      collections,
      events,
      setVisible: (visible) => void (isVisible = visible),
      kill: async () => {
        await sync.stop();
        db.close();
      },
    };
  }

  async function as(person: User, disk?: string): Promise<Phone> {
    const name = disk ?? `${personDbName(person.id)}-${harnessId}-${phones.length}`;
    const device = { locks: (options.locks ?? fakeLocks)(), channel: fakeChannel(), commits: fakeChannel<Commit>() };
    const own = { name, userId: person.id };
    let tab = openTab(own, device);
    const others: Tab[] = [];
    const phone: Phone = {
      ...own,
      get db() {
        return tab.db;
      },
      get sync() {
        return tab.sync;
      },
      get collections() {
        return tab.collections;
      },
      get events() {
        return tab.events;
      },
      setVisible: (isVisible) => tab.setVisible(isVisible),
      kill: async () => void (await Promise.all([tab, ...others].map((each) => each.kill()))),
      goOffline: () => network.setMode(name, 'offline'),
      goOnline: () => {
        network.setMode(name, 'online');
        tab.sync.wakeUp('online');
      },
      loseServer: () => network.setMode(name, 'dead'),
      hold: () => network.setMode(name, 'held'),
      inFlight: () => network.inFlight(name),
      openTab: async () => {
        const other = openTab(own, device);
        others.push(other);
        other.sync.start();
        return other;
      },
      reopen: async () => {
        await tab.kill();
        tab = openTab(own, device);
        tab.sync.start();
        await phone.settle();
      },
      settle: () => settled(tab.sync, network, name),
    };
    phones.push(phone);
    tab.sync.start();
    await phone.settle();
    return phone;
  }

  async function sync(...named: Phone[]): Promise<void> {
    const all = named.length > 0 ? named : phones;
    for (const phone of all) phone.sync.sendNow();
    await Promise.all(all.map((phone) => phone.settle()));
  }

  function add(person: User, profile?: Tradie): User {
    server.write((rows) => {
      rows.users.set(person.id, person);
      if (profile !== undefined) rows.tradies.set(profile.id, profile);
    });
    return person;
  }

  return {
    server,
    network,
    clock,
    as,
    sync,
    addHomeowner: (changes) => add(makeUser(changes)),
    addTradie: (changes, profile) => {
      const person = makeUser({ subscriptionStatus: 'active', ...changes });
      const business = makeTradie({ userId: person.id, ...profile });
      return add({ ...person, tradieId: business.id }, business);
    },
    goOffline: (...named) => named.forEach((phone) => phone.goOffline()),
    goOnline: (...named) => named.forEach((phone) => phone.goOnline()),
    close: async () => {
      for (const phone of phones) {
        await phone.kill();
        await phone.db.delete();
      }
    },
  };
}

/** No polling: checks whenever the engine or the network reports a change. */
function settled(sync: Sync, network: FakeNetwork, name: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const { isLeader, isAsking, isReplaced, phase } = sync.status.current();
      const isStuck = isReplaced || phase === 'storage-blocked';
      const isQuiet = (isLeader && (!isAsking || network.inFlight(name).length > 0)) || isStuck;
      if (!isQuiet) return;
      stopStatus();
      stopNetwork();
      resolve();
    };
    const stopStatus = sync.status.subscribe(look);
    const stopNetwork = network.subscribe(look);
    look();
  });
}

/** The one request of this phone's that waits for the test. */
export function mustBeInFlight(phone: Phone): InFlight {
  return must(phone.inFlight()[0], `a request of ${phone.name} in flight`);
}
