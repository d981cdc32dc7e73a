import type { MutationName } from '../../shared/mutations/index.ts';
import type { RejectionFields } from '../../shared/mutations/rejection.ts';
import type { PrivateTableName } from '../../shared/tables/index.ts';

/** What the server last said of a row that a waiting mutation has touched; `row: null` where it had no such row. */
export interface ServerRow {
  table: PrivateTableName;
  id: string;
  row: unknown;
}

/**
 * A mutation in the outbox. `new` was never sent and may be cancelled; `sent` may have reached the server (C7).
 * `saving` is on its way to the disk: it is shown, and is nowhere but in this tab's memory.
 */
export interface OutboxEntry {
  seq: number;
  uid: string;
  name: MutationName;
  args: unknown;
  /** ISO instant of the tap, by this device's clock. */
  at: string;
  state: 'saving' | 'new' | 'sent';
  attempts: number;
  /** Why the last attempt failed although something answered, for the person to read; null for want of signal. */
  lastError: string | null;
  /** Rows it read from a collection, kept so that it can be replayed without the collection. */
  base: { table: PrivateTableName; row: unknown }[];
  /**
   * Of an earlier timeline of the server's database: which, and where it was applied there. `fileGone`: its file is
   * nowhere any more. `rebuilt`: it was changed since, so that the server has to compare no args.
   */
  from?: { timeline: string; version?: string; fileGone?: true; rebuilt?: true };
  /** It waits for what another device may bring back after a restore: what is missing, as a rejection's code. */
  restoring?: string | undefined;
}

/** A mutation that the server has taken. As in the outbox but for what follows. */
interface TakenMutation extends Pick<OutboxEntry, 'seq' | 'uid' | 'name' | 'args' | 'at' | 'base'> {
  /**
   * It waits for an operator instead of being applied; its text is among the rejected entries until its person has
   * dealt with it.
   */
  isDeadLetter: boolean;
}

/** What the server has taken, kept for a database that is restored to a time before that. */
export interface JournalEntry extends TakenMutation {
  /** Those of the same kind that came right after it and were decided in the same answer. Absent where none did. */
  more?: TakenMutation[];
  /** The timeline of the answer that brought the outcome. */
  timeline: string;
  version: string;
  /** ISO instant, by the server's clock. */
  keptAt: string;
  /** Bytes of the journal up to and with it and `more`, since it was last empty. */
  upTo: number;
}

/** Rejected, or a dead letter that waits for an operator: kept with its text until the person has dealt with it. */
export interface RejectedEntry {
  uid: string;
  seq: number;
  name: MutationName;
  args: unknown;
  at: string;
  status: 'refused' | 'parked';
  code: string;
  message: string;
  fields: RejectionFields | null;
  refusedAt: string;
  /**
   * What it was about, as in the outbox, also where that is on this device no more. Absent in those of earlier
   * releases.
   */
  base?: OutboxEntry['base'];
}

/**
 * `cookie`: string, where the last answer left off. `snapshot`: ids seen so far of a snapshot that is still coming, by
 * table.
 * `canary`: ISO instant of the first answer applied; gone means the device was cleared (C4). `leader`: `{ epoch, beat
 * }` (C6).
 * `lastSynced`: ISO instant, as people are shown it. `serverTimeOffset`: server's clock minus this device's, ms.
 * `applied`: `{ uid, name, id }[]`, the last few that the server applied, so that "done" is said on evidence. `look`:
 * `{ since, at }`, ISO instants, of the person's visits to the feed; `home`, of those to the dashboard. `sent`:
 * `SentNote[]`, the last few for people to read. `filters`: of Find Jobs, as they were left.
 * `spare`: true once this database was compared with the outbox backup. `alertsDeclined`: ISO instant of "Not now".
 * `place`: where this phone was, `{ latitude, longitude, at }`, to about a kilometre, with its person's permission; in
 * no other store, and in no request.
 * `written`: number of the last commit (note-commits.ts). `timeline`: of the server's database, as the last answer
 * said.
 * `restored`: of sync/journal.ts, until the person has read it. `lostBusiness`: their `Tradie` row, once a restore has
 * taken it.
 * `sending`: numbers of outbox entries that count as sent, until each is marked so (sync/pack-request.ts).
 * `former`: ids of their former accounts, whose entries are among the rejected ones here.
 */
export interface MetaEntry {
  key:
    | 'cookie'
    | 'snapshot'
    | 'canary'
    | 'leader'
    | 'lastSynced'
    | 'serverTimeOffset'
    | 'device'
    | 'applied'
    | 'sending'
    | 'sent'
    | 'look'
    | 'filters'
    | 'regions'
    | 'home'
    | 'spare'
    | 'alertsDeclined'
    | 'place'
    | 'written'
    | 'timeline'
    | 'restored'
    | 'lostBusiness'
    | 'former';
  value: unknown;
}
