import type { ExchangeAnswer, Outcome, SentMutation } from '../../shared/protocol/exchange.ts';
import { privateTableNames } from '../../shared/tables/index.ts';
import { NotAnswered, type Ask } from './ask.ts';

export type Row = { id: string } & Record<string, unknown>;

/** An entry of the history: what the person did, and the outcome they were told. */
export interface Entry {
  readonly sent: SentMutation;
  /** What must become of it, by the rules. */
  readonly expected: 'applied' | 'refused';
  /** What the database's own history must say of it. */
  readonly mark: string;
  /** What it writes on: of changes that are decided together, only the last one on the same place is ever written. */
  readonly place: string;
  /** Is its effect on the device? Asked when it is told that it was applied. */
  readonly isHere: (device: StressDevice) => boolean;
  told: Outcome | undefined;
}

export interface StressDevice {
  readonly userId: string;
  readonly journal: Entry[];
  /** Violations that it saw. */
  readonly faults: string[];
  /** Attempts that were not answered. */
  readonly failures: { status: number; why: string }[];
  rows(table: string): ReadonlyMap<string, Row>;
  do(entry: Omit<Entry, 'told'>): Entry;
  /** Changes whose outcome it does not know. */
  waiting(): number;
  /** One round trip; true where it was answered and nothing is left to ask. `twice`: the request is sent two times. */
  exchange(options?: { max?: number; twice?: boolean }): Promise<boolean>;
}

/**
 * A device that obeys the protocol (P1-P8), trusts every answer, and records it. Its history does not depend on the
 * server.
 * `undecided` says which of the changes it was just told of are not in the database.
 */
export function createStressDevice(
  userId: string,
  ask: Ask,
  undecided: (uids: readonly string[]) => Promise<string[]>,
): StressDevice {
  const held = new Map<string, Map<string, Row>>(privateTableNames.map((table) => [table, new Map()]));
  const outbox: Entry[] = [];
  const awaiting = new Map<string, Entry>();
  let cookie: string | null = null;
  let firstLoad: Set<string> | undefined = new Set();

  const device: StressDevice = {
    userId,
    journal: [],
    faults: [],
    failures: [],
    rows: (table) => held.get(table) ?? new Map(),
    do(entry) {
      const line: Entry = { ...entry, told: undefined };
      device.journal.push(line);
      outbox.push(line);
      return line;
    },
    waiting: () => outbox.length + awaiting.size,
    async exchange({ max = 500, twice = false } = {}) {
      const sending = outbox.slice(0, max);
      const wanted = { cookie, mutations: sending.map(({ sent }) => sent), awaiting: [...awaiting.keys()] };
      const answer = await firstOf(twice ? [ask(wanted), ask(wanted)] : [ask(wanted)]);
      if (answer === undefined) return false;
      return applyAnswer(answer, sending);
    },
  };

  /** The first attempt's answer; where it has none, the other's. */
  async function firstOf(attempts: readonly Promise<ExchangeAnswer>[]): Promise<ExchangeAnswer | undefined> {
    const ended = await Promise.allSettled(attempts);
    for (const end of ended) {
      if (end.status === 'fulfilled') continue;
      if (!(end.reason instanceof NotAnswered)) throw end.reason;
      device.failures.push({ status: end.reason.status, why: end.reason.message });
      // The server must not tell a device here to sign in, to update, or that its request is wrong.
      if (end.reason.status >= 400 && end.reason.status < 500 && end.reason.status !== 429)
        device.faults.push(`answered ${end.reason.message}`);
    }
    return ended.find((end) => end.status === 'fulfilled')?.value;
  }

  async function applyAnswer(answer: ExchangeAnswer, sending: readonly Entry[]): Promise<boolean> {
    if (answer.kind === 'reset') {
      cookie = null;
      firstLoad = new Set();
      return false;
    }
    const stop = answer.stopped === undefined ? -1 : sending.findIndex(({ sent }) => sent.uid === answer.stopped?.uid);
    const decided = stop === -1 ? sending : sending.slice(0, stop);
    for (const entry of outbox.splice(0, decided.length)) awaiting.set(entry.sent.uid, entry);
    for (const [table, puts] of Object.entries(answer.puts))
      for (const row of puts as Row[]) {
        held.get(table)!.set(row.id, row);
        firstLoad?.add(row.id);
      }
    for (const [table, ids] of Object.entries(answer.removes)) for (const id of ids) held.get(table)!.delete(id);
    cookie = answer.cookie;
    if (answer.more) return false;
    if (firstLoad !== undefined)
      for (const table of held.values()) for (const id of table.keys()) if (!firstLoad.has(id)) table.delete(id);
    firstLoad = undefined;
    for (const outcome of answer.outcomes) hear(outcome);
    for (const uid of await undecided(answer.outcomes.map((outcome) => outcome.uid)))
      device.faults.push(`${uid}: acknowledged before it was committed (I6)`);
    return outbox.length === 0 && awaiting.size === 0;
  }

  function hear(outcome: Outcome): void {
    const entry = awaiting.get(outcome.uid);
    if (entry === undefined) return void device.faults.push(`told of ${outcome.uid}, which it does not wait for`);
    awaiting.delete(outcome.uid);
    entry.told = outcome;
    if (outcome.status === 'applied' && !entry.isHere(device))
      device.faults.push(`${entry.sent.name} ${outcome.uid}: acknowledged before its effect was here (I6)`);
  }

  return device;
}
