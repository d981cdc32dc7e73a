import type { SentMutation } from '../../shared/protocol/exchange.ts';
import { decide } from '../model/decide.ts';
import type { Act } from '../model/law.ts';
import { copyOf, emptyState } from '../model/state.ts';
import { argsHash } from '../../sync-server/sync/args-hash.ts';
import type { Committed, Row } from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { Written } from '../../sync-server/testing/memory-store/memory-engine.ts';
import { restoreWaitMs } from '../server/cluster.ts';
import { poison } from '../server/memory-backend.ts';
import { asText } from './disk-snapshot.ts';
import { must, Violation } from './violation.ts';

const told = ['users', 'jobs', 'interests', 'tradies', 'marks', 'searches', 'preferences'] as const;
type Told = (typeof told)[number];
const isTold = (table: string): table is Told => (told as readonly string[]).includes(table);

interface Line {
  user_id: string;
  uid: string;
  name: string;
  args_hash: string;
  status: string;
  outcome: { code?: string } | null;
  at: Date;
}

/** I19: the model's own rows, and its decision on everything that the server commits. */
export interface Meaning {
  /** A person sends this to a server. */
  asked(userId: string, mutations: readonly Pick<SentMutation, 'uid' | 'name' | 'args' | 'from'>[]): void;
  /** Runs at every commit. */
  i19Decided(written: Written): void;
  /** The database was restored to these rows, which the model agreed to when they were committed. */
  startFrom(committed: Committed): void;
  /** Runs at the end: all rows are the model's rows. */
  i19AllAlike(committed: Committed): void;
}

export function createMeaning(lists: NonNullable<Act['lists']>): Meaning {
  let state = emptyState();
  const sent = new Map<string, Pick<SentMutation, 'args' | 'from'>>();
  const keyOf = (userId: string, uid: string, hash: string) => `${userId}/${uid.toLowerCase()}/${hash}`;
  const rowsOf = (table: Told) => state[table] as unknown as Map<string, Row>;

  function check({ user_id: userId, uid, name, args_hash: hash, status, outcome, at }: Line, after: Committed): void {
    const where = `the server, of …${userId.slice(-4)}`;
    const key = keyOf(userId, uid, hash);
    must(sent.has(key), 'I19', where, () => `${name} ${uid} was decided, and no device sent it`);
    const { args: given, from } = sent.get(key)!;
    if (status === 'parked')
      return must(
        JSON.stringify(given).includes(poison),
        'I19',
        where,
        () => `${name} ${uid} is a dead letter, and nothing in its args causes a fault`,
      );
    const restoredAt = from?.version === undefined ? undefined : firstRestore(after, at);
    const verdict = decide(state, { by: userId, name, args: given, at: at.toISOString(), lists, restoredAt });
    const said = status === 'refused' ? (outcome?.code ?? status) : status;
    must(
      said === verdict,
      'I19',
      where,
      () => `${name} ${JSON.stringify(given)} was decided: ${said}; by the model: ${verdict}`,
    );
  }

  function mustBeAlike(table: Told, key: string, row: Row | undefined): void {
    const [is, expected] = [row, rowsOf(table).get(key)].map((one) => (one === undefined ? 'not there' : asText(one)));
    must(is === expected, 'I19', 'the server', () => `${table} ${key} is ${is}; by the model: ${expected}`);
  }

  /** Sign-ups, payments and an operator's deletions are not decided by sync: the model adopts them. */
  function recordChange(table: Told, key: string, was: Row | undefined, is: Row | undefined): void {
    const isForeseen =
      table === 'users' ||
      (table === 'tradies' && was === undefined) ||
      ((table === 'jobs' || table === 'interests' || table === 'marks') && is === undefined);
    must(isForeseen, 'I19', 'the server', () => `${table} ${key} was changed, and nothing was decided`);
    if (is === undefined) rowsOf(table).delete(key);
    else rowsOf(table).set(key, is);
  }

  return {
    asked: (userId, mutations) =>
      mutations.forEach((each) => sent.set(keyOf(userId, each.uid, argsHash(each.name, each.args)), each)),
    i19Decided: ({ wrote, before, after }) => {
      const lines = wrote.flatMap(({ table, key }) =>
        table === 'sync_mutation' ? ((after.get(table)?.get(key) as Line | undefined) ?? []) : [],
      );
      const formerly = copyOf(state);
      for (const line of lines) check(line, after);
      const touched = wrote.filter(({ table }) => isTold(table)) as { table: Told; key: string }[];
      for (const { table, key } of touched) {
        if (lines.length === 0) recordChange(table, key, before.get(table)?.get(key), after.get(table)?.get(key));
        else mustBeAlike(table, key, after.get(table)?.get(key));
      }
      for (const table of told)
        for (const [key, row] of rowsOf(table))
          if (lines.length > 0 && formerly[table].get(key) !== (row as unknown))
            mustBeAlike(table, key, after.get(table)?.get(key));
    },
    startFrom: (committed) => {
      state = emptyState();
      for (const table of told) for (const [key, row] of committed.get(table) ?? []) rowsOf(table).set(key, row);
    },
    i19AllAlike: (committed) => {
      for (const table of told) {
        const rows = committed.get(table) ?? new Map<string, Row>();
        for (const key of new Set([...rows.keys(), ...rowsOf(table).keys()])) mustBeAlike(table, key, rows.get(key));
      }
    },
  };
}

/** When the first timeline began, of those that began with a restore which devices still heal. */
function firstRestore(committed: Committed, now: Date): Date | undefined {
  const begun = [...(committed.get('sync_timeline')?.values() ?? [])].map((row) => row['began_at'] as Date);
  const late = begun.filter((at) => now.getTime() - at.getTime() < restoreWaitMs);
  return late.toSorted((one, other) => one.getTime() - other.getTime())[0];
}

/** A rule broken inside the server's own transaction must not reach the server as a database error. */
export function reportingViolations<Given>(
  check: (given: Given) => void,
  accuse: (violation: unknown) => void,
): (given: Given) => void {
  return (given) => {
    try {
      check(given);
    } catch (error) {
      accuse(error instanceof Violation ? error : new Violation('I19', 'the model', String(error)));
    }
  };
}
