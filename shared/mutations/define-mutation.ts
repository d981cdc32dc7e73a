import type * as z from 'zod/mini';
import type { Actor } from '../actor.ts';
import type {
  PrivateTableName,
  Interest,
  Job,
  Mark,
  Preferences,
  RowOf,
  Search,
  Tradie,
  User,
} from '../tables/index.ts';
import type { KnownFiles } from './own-file.ts';
import type { Rejection } from './rejection.ts';
import type { Tx } from './tx.ts';

type TargetRow<On> = On extends PrivateTableName ? RowOf<On> : undefined;

/**
 * The columns that permission and time depend on: what a control must know of a row to check it. Only its owner knows
 * whose a job is.
 */
interface CheckedColumns {
  readonly users: Pick<User, 'id'>;
  readonly tradies: Pick<Tradie, 'userId'>;
  readonly jobs: Pick<Job, 'status'> & { readonly userId?: Job['userId'] | undefined };
  readonly interests: Pick<Interest, 'ownerId'>;
  readonly marks: Pick<Mark, 'userId'>;
  readonly searches: Pick<Search, 'userId' | 'removedAt'>;
  readonly preferences: Pick<Preferences, 'userId'>;
}
export type CheckedRow<On> = On extends PrivateTableName ? CheckedColumns[On] : undefined;

/**
 * What `allow` and `check` may look at: who, what it is about, and the time. Nothing else, so that they run under a
 * button.
 */
export interface Question<On> {
  readonly actor: Actor;
  /** Of the row the mutation is about; undefined for one that makes a row. */
  readonly row: CheckedRow<On>;
  /** ISO instant: the tap on the device, the transaction's own on the server. */
  readonly now: string;
}

export interface Action<On, Args> extends Omit<Question<On>, 'row'> {
  readonly row: TargetRow<On>;
  readonly args: Args;
  /** What storage says of the files that `files` names; absent where storage cannot be asked. */
  readonly files?: KnownFiles | undefined;
}

export interface MutationDefinition<On extends PrivateTableName | undefined, Args> {
  /** The table of the row it is about: loaded first; absent or not allowed, the answer is the same. */
  readonly on: On;
  readonly args: z.ZodMiniType<Args, Args>;
  /** The target's id. */
  target(args: Args): string;
  /** A row that it reads besides: a device copies it from a shared collection, as it does the target. */
  reads?(args: Args): { readonly table: PrivateTableName; readonly id: string };
  /** The table in which it may make a row: the server reads beforehand what an insert asks. */
  readonly makes?: PrivateTableName;
  /** Files it names, each by its bucket and path: the server asks storage about them beforehand. */
  files?(args: Args): readonly string[];
  /** May this person do it at all? */
  allow(question: Question<On>): boolean;
  /** Has it been done already? Then it counts as applied once more, and nothing happens. */
  already?(tx: Tx, action: Action<On, Args>): Promise<boolean>;
  /** Why it cannot be done at this time; undefined where it can. */
  check?(question: Question<On>): Rejection | undefined;
  /** The effect. May reject by throwing a `Rejection`; awaits nothing but `tx`. */
  apply(tx: Tx, action: Action<On, Args>): Promise<void>;
}

/** A mutation about a row that is there: `on` names its table, and `args.id` the row unless `target` says otherwise. */
export function defineMutation<On extends PrivateTableName, Args extends { id: string }>(
  definition: Omit<MutationDefinition<On, Args>, 'target'> & { target?: (args: Args) => string },
): MutationDefinition<On, Args> {
  return { target: (args) => args.id, ...definition };
}

/** A mutation that makes a row, under the id the device chose. */
export function defineCreation<Args extends { id: string }>(
  definition: Omit<MutationDefinition<undefined, Args>, 'on' | 'target'>,
): MutationDefinition<undefined, Args> {
  return { on: undefined, target: (args) => args.id, ...definition };
}
