import { expect } from 'vitest';
import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { seededRandom, type SeededRandom } from '../../shared/testing/random-source.ts';
import { readDevice, replayed, type OnDevice } from './invariants.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from './open-device-harness.ts';

/*
 * A seeded storm over a few phones: people write, the network does its worst, apps are killed, the server forgets and resets.
 * After each step one phone is checked against the rules that must hold at any time; after healing, all against all.
 */

interface Written {
  uid: string;
  name: MutationName;
  /** The row that must be seen as long as it waits or was applied (I10), and the job it belongs to; undefined for an edit. */
  made: { id: string; jobId: string } | undefined;
}

interface Watched {
  phone: Phone;
  written: Written[];
  cancelled: Set<string>;
  dealtWith: Set<string>;
  highest: { lineage: number; view: number; version: number } | undefined;
}

interface Storm {
  harness: DeviceHarness;
  clock: ManualClock;
  random: SeededRandom;
  watched: Watched[];
  /** Requests whose devices gave up on them, and that may still be delivered. */
  overtaken: (() => Promise<void>)[];
  /** Jobs that an operator deleted: rightly not seen any more. */
  deleted: Set<string>;
  /** Whole deltas in one page, so that I9 can be asked. */
  isUnpaged: boolean;
}

type Step = (storm: Storm, at: Watched) => Promise<void> | void;

async function write<Name extends MutationName>(
  at: Watched,
  name: Name,
  args: ArgsOf<Name>,
  made?: Written['made'],
): Promise<void> {
  try {
    const { uid } = await at.phone.sync.mutate(name, args);
    at.written.push({ uid, name, made });
  } catch (error) {
    // Found on the device: nothing was queued, and the form has it.
    if (!(error instanceof Rejection)) throw error;
  }
}

/** A step that met a fault of the disk got an error; what it wanted has not happened. */
async function take(act: Step, storm: Storm, at: Watched): Promise<void> {
  try {
    await act(storm, at);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

const aJob = async ({ random }: Storm, { phone }: Watched) => {
  const jobs = await phone.db.jobs.toArray();
  return jobs.length === 0 ? undefined : random.pick(jobs);
};

const people: Record<string, Step> = {
  post: (_storm, at) => {
    const id = makeTestId();
    return write(
      at,
      'job.post',
      { id, title: 'T0', description: 'D', locationId: 'l', urgency: 'soon', categoryId: 'c' },
      { id, jobId: id },
    );
  },
  edit: async (storm, at) => {
    const job = await aJob(storm, at);
    if (job)
      await write(at, 'job.edit', {
        id: job.id,
        set: { title: `T${storm.random.below(5)}` },
        base: { title: job.title },
      });
  },
  close: async (storm, at) => {
    const job = await aJob(storm, at);
    if (job && storm.random.below(3) === 0) await write(at, 'job.close', { id: job.id });
  },
  express: async (storm, at) => {
    const feed = storm.harness.server.collections.rowsOf('feed');
    if (feed.length === 0) return;
    const id = makeTestId();
    const jobId = storm.random.pick(feed).id;
    await write(at, 'interest.express', { id, jobId, note: 'N' }, { id, jobId });
  },
  tick: async (storm, at) => {
    const interests = await at.phone.db.interests.toArray();
    if (interests.length > 0)
      await write(at, 'interest.tick', { id: storm.random.pick(interests).id, contacted: true });
  },
  cancel: async (storm, at) => {
    const entries = await at.phone.db.outbox.toArray();
    if (entries.length === 0) return;
    const result = await at.phone.sync.cancel(storm.random.pick(entries).uid);
    if (result.kind === 'cancelled') result.uids.forEach((uid) => at.cancelled.add(uid));
  },
  dealWithRejection: async (_storm, at) => {
    const entry = await at.phone.db.refused.toCollection().first();
    if (entry === undefined) return;
    await at.phone.sync.discard(entry.uid);
    at.dealtWith.add(entry.uid);
  },
};

/** Decides the fate of the request that waits, if one does. */
const fate =
  (strike: (flight: ReturnType<Phone['inFlight']>[number], storm: Storm) => Promise<void> | void): Step =>
  (storm, { phone }) => {
    const flight = phone.inFlight()[0];
    return flight === undefined ? undefined : strike(flight, storm);
  };

const world: Record<string, Step> = {
  deliver: fate((flight) => flight.deliver()),
  deliverToo: fate((flight) => flight.deliver()),
  dropRequest: fate((flight) => flight.dropRequest()),
  dropAnswer: fate((flight) => flight.dropAnswer()),
  duplicate: fate((flight) => flight.duplicate()),
  truncate: fate((flight) => flight.truncate()),
  portal: fate((flight) => flight.captivePortal()),
  busy: fate((flight) => flight.respond(503, { 'Retry-After': '3' })),
  unwell: fate((flight) => flight.respond(500)),
  tooLarge: fate((flight) => flight.respond(413)),
  overtake: fate((flight, { overtaken }) => void overtaken.push(flight.overtaken())),
  arriveLate: ({ overtaken }) => overtaken.shift()?.(),
  hold: (_storm, { phone }) => phone.hold(),
  offline: (_storm, { phone }) => phone.goOffline(),
  // A short time with signal; then every request is in the storm's hand again.
  online: async (_storm, { phone }) => {
    phone.goOnline();
    await phone.settle();
    phone.hold();
  },
  reopen: (_storm, { phone }) => phone.reopen(),
  tap: (_storm, { phone }) => phone.sync.sendNow(),
  time: ({ clock, random }) => clock.advance(random.below(40_000)),
  expire: ({ harness }, { phone }) => harness.network.expireTokens(phone.userId),
  bumpView: ({ harness }, { phone }) => harness.server.bumpView(phone.userId),
  operatorDeletes: ({ harness, random, deleted }) => {
    const ids = [...harness.server.rows.jobs.keys()];
    if (ids.length === 0) return;
    const id = random.pick(ids);
    deleted.add(id);
    harness.server.write((rows) => {
      rows.jobs.delete(id);
      for (const interest of rows.interests.values()) if (interest.jobId === id) rows.interests.delete(interest.id);
    });
  },
  purge: ({ harness }) => harness.server.purgeTombstones(),
  lineage: ({ harness, random }) => (random.below(4) === 0 ? harness.server.changeTimeline() : undefined),
  transientFault: ({ harness, random }) => {
    const unlucky = random.below(3);
    harness.server.setFault(({ uid }) => uid.charCodeAt(uid.length - 1) % 3 === unlucky);
  },
  faultOver: ({ harness }) => harness.server.setFault(() => false),
  hiccup: ({ random }, { phone }) => {
    const transaction = phone.db.transaction.bind(phone.db);
    let good = random.below(4);
    Object.assign(phone.db, {
      transaction: (...given: Parameters<typeof transaction>) => {
        if (given[0] === 'r' || good < 0) return transaction(...given);
        good -= 1;
        if (good >= 0) return transaction(...given);
        return Promise.reject(new DOMException('Disk error', 'UnknownError'));
      },
    });
  },
};

async function mustHoldNow({ isUnpaged, deleted }: Storm, at: Watched): Promise<void> {
  const seen = await readDevice(at.phone.db);
  expect(seen.privateRows, 'I5: tables == replay(shadows back, outbox)').toEqual(await replayed(seen, at.phone.userId));
  mustNotVanish(at, seen, deleted);
  mustNotGoBack(at, seen);
  if (isUnpaged && !seen.isLoading && seen.outbox.length === 0) {
    for (const job of seen.privateRows.jobs.filter(({ userId }) => userId === at.phone.userId)) {
      const count = seen.privateRows.interests.filter(({ jobId }) => jobId === job.id).length;
      expect(job['interestCount'], 'I9: a job and its interests change together').toBe(count);
    }
  }
}

/** I10 and I3: what was acknowledged is waiting, applied, rejected or cancelled; and seen unless it is one of the last two. */
function mustNotVanish(at: Watched, seen: OnDevice, deleted: Set<string>): void {
  const waiting = new Set(seen.outbox.map(({ uid }) => uid));
  for (const { uid, name, made } of at.written) {
    const isOver = at.cancelled.has(uid) || at.dealtWith.has(uid) || seen.refused.includes(uid);
    expect([uid, isOver || waiting.has(uid) || seen.applied.includes(uid)], 'I3: nothing is lost').toEqual([uid, true]);
    if (isOver || made === undefined || deleted.has(made.jobId)) continue;
    // The same job answered twice is one interest, the first.
    const isSeen =
      name === 'job.post'
        ? seen.privateRows.jobs.some(({ id }) => id === made.id)
        : seen.privateRows.interests.some(({ jobId }) => jobId === made.jobId);
    expect([name, made, isSeen], 'I10: a write never vanishes').toEqual([name, made, true]);
  }
}

/** I7: within one timeline, a cookie never goes backwards. */
function mustNotGoBack(at: Watched, seen: OnDevice): void {
  if (seen.isLoading || seen.cookie === null) return;
  const cookie = JSON.parse(seen.cookie) as NonNullable<Watched['highest']>;
  if (at.highest !== undefined && at.highest.lineage === cookie.lineage) {
    expect(cookie.version, 'I7: the cookie is monotone').toBeGreaterThanOrEqual(at.highest.version);
  }
  at.highest = cookie;
}

/** I15: faults stop; without a tap, each phone comes to rest with nothing waiting. */
async function heal({ harness, clock, watched, overtaken }: Storm): Promise<void> {
  harness.server.setFault(() => false);
  while (overtaken.length > 0) await overtaken.shift()?.();
  for (const { phone } of watched) {
    for (const flight of phone.inFlight()) flight.dropRequest();
    phone.goOnline();
  }
  for (let minute = 0; minute < 10; minute += 1) {
    await Promise.all(watched.map(({ phone }) => phone.settle()));
    clock.advance(60_000);
  }
  await Promise.all(watched.map(({ phone }) => phone.settle()));
}

async function mustHoldInTheEnd(storm: Storm): Promise<void> {
  const { watched } = storm;
  const { server } = storm.harness;
  const uids = server.decisions.map(({ uid }) => uid);
  expect(new Set(uids).size, 'I1: each uid is decided once').toBe(uids.length);
  for (const at of watched) {
    const { phone } = at;
    const seen = await readDevice(phone.db);
    expect(seen.outbox, 'I15: nothing waits').toEqual([]);
    expect(seen.privateRows, 'I4: the device equals the oracle').toEqual(server.privateRowsOf(phone.userId));
    await mustHoldNow({ ...storm, isUnpaged: true }, at);
    const own = new Set(at.written.map(({ uid }) => uid));
    const decided = server.decisions.filter(({ uid }) => own.has(uid));
    const made = at.written.map(({ uid }) => uid).filter((uid) => !at.cancelled.has(uid));
    expect(
      decided.map(({ uid }) => uid),
      'I2 and I3: all decided, in the order they were made',
    ).toEqual(made);
    const refused = decided.filter(({ status }) => status !== 'applied').map(({ uid }) => uid);
    expect([...seen.refused, ...at.dealtWith].toSorted(), 'I16: each refusal once').toEqual(refused.toSorted());
    if (server.rows.users.get(phone.userId)?.tradieId === null) continue;
    const everything = JSON.stringify(await Promise.all(phone.db.tables.map((table) => table.toArray())));
    const strangers = [...server.rows.users.values()].filter(({ id }) => id !== phone.userId);
    for (const { email } of strangers)
      expect(everything.includes(email), 'I8: no stranger’s email on a tradie’s phone').toBe(false);
  }
}

/** One storm. Throws where a rule does not hold; the seed and the steps so far are in the error. */
export async function runStorm(seed: number, steps: number): Promise<void> {
  const random = seededRandom(seed);
  const clock = manualClock();
  const harness = await openDeviceHarness({ clock, seed });
  const isUnpaged = seed % 2 === 0;
  if (!isUnpaged) harness.server.setPageSize(1 + random.below(4));
  const [aroha, hemi, wiremu, mere] = [
    harness.addHomeowner(),
    harness.addHomeowner(),
    harness.addTradie(),
    harness.addTradie(),
  ];
  const watched: Watched[] = [];
  for (const person of [aroha, aroha, hemi, wiremu, mere]) {
    const phone = await harness.as(person);
    phone.hold();
    watched.push({ phone, written: [], cancelled: new Set(), dealtWith: new Set(), highest: undefined });
  }
  const storm: Storm = { harness, clock, random, watched, overtaken: [], deleted: new Set(), isUnpaged };
  const taken: string[] = [];
  try {
    for (let step = 0; step < steps; step += 1) {
      const at = random.pick(watched);
      const [kind, act] = random.pick(Object.entries(random.below(2) === 0 ? people : world));
      taken.push(`${watched.indexOf(at)} ${kind}`);
      await take(act, storm, at);
      await Promise.all(watched.map(({ phone }) => phone.settle()));
      await mustHoldNow(storm, at);
    }
    taken.push('heal');
    await heal(storm);
    await mustHoldInTheEnd(storm);
  } catch (error) {
    throw new Error(`Seed ${seed}, after: ${taken.slice(-25).join(', ')}`, { cause: error });
  } finally {
    await harness.close();
  }
}
