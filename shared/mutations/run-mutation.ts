import type * as z from 'zod/mini';
import type { Actor } from '../actor.ts';
import type { Job, PrivateTableName, RowOf } from '../tables/index.ts';
import type { CheckedRow, MutationDefinition } from './define-mutation.ts';
import { mutations, type MutationName } from './index.ts';
import type { KnownFiles } from './own-file.ts';
import { notFound, Rejection } from './rejection.ts';
import type { Tx } from './tx.ts';

/** The context of one run: who, when, and what storage says of the files it names. */
export interface Circumstances {
  readonly actor: Actor;
  readonly now: string;
  readonly files?: KnownFiles | undefined;
  /** Of what a restore has lost and its device brings back: what was so when it was applied for the first time. */
  readonly restored?: Restored | undefined;
}

/**
 * What has ended or was closed since the restore, perhaps by a phone that came back earlier, refuses nothing that was
 * applied before.
 */
export interface Restored {
  /** ISO instant: a subscription that ran then has not ended. */
  readonly at: string;
  wasOpen(job: Job): boolean;
}

// Each definition is type-checked where it is written; here any of them may come, so the two types that tie row to args
// are dropped.
type AnyRow = RowOf<PrivateTableName>;
type AnyDefinition = MutationDefinition<PrivateTableName | undefined, { id: string }>;

const unknownMutation = (name: string) => new Rejection('unknown-mutation', `This server does not know "${name}".`);

function definitionOf(name: string): AnyDefinition {
  if (!Object.hasOwn(mutations, name)) throw unknownMutation(name);
  return mutations[name as MutationName];
}

/** Field name to message, the first message of each field. */
function fieldsOf(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of issues) {
    const path = issue.path[0] === 'set' ? issue.path.slice(1) : issue.path;
    fields[path.join('.') || 'args'] ??= issue.message;
  }
  return fields;
}

function parseArgs(definition: AnyDefinition, args: unknown): { id: string } {
  const parsed = definition.args.safeParse(args);
  if (parsed.success) return parsed.data;
  const fields = fieldsOf(parsed.error.issues);
  throw new Rejection('invalid', Object.values(fields).join(' '), fields);
}

/**
 * Which row a mutation is about, before anything is loaded; undefined for one that makes a row or whose args are not
 * valid.
 */
export function targetOf(name: string, args: unknown): { table: PrivateTableName; id: string } | undefined {
  if (!Object.hasOwn(mutations, name)) return undefined;
  const definition = definitionOf(name);
  const parsed = definition.args.safeParse(args);
  if (!parsed.success || definition.on === undefined) return undefined;
  return { table: definition.on, id: definition.target(parsed.data) };
}

/** The table in which a mutation of this name may make a row. */
export const madeIn = (name: string): PrivateTableName | undefined =>
  Object.hasOwn(mutations, name) ? definitionOf(name).makes : undefined;

/** Ids of the rows that a mutation is about, or makes. */
export const rowsOf = ({ name, args }: { name: string; args: unknown }): string[] =>
  [targetOf(name, args)?.id, (args as { id?: unknown } | null)?.id].filter((id) => typeof id === 'string');

/** Id of the row that a mutation makes; undefined where it only changes one that is there. */
export function madeRowOf({ name, args }: { name: string; args: unknown }): string | undefined {
  const id = (args as { id?: unknown } | null)?.id;
  return typeof id === 'string' && id !== targetOf(name, args)?.id ? id : undefined;
}

/** The row that a device must have at hand to run it: the target, or another that it reads. */
export function neededRowOf(name: string, args: unknown): { table: PrivateTableName; id: string } | undefined {
  const target = targetOf(name, args);
  if (target !== undefined || !Object.hasOwn(mutations, name)) return target;
  const definition = definitionOf(name);
  const parsed = definition.reads === undefined ? undefined : definition.args.safeParse(args);
  return parsed?.success ? definition.reads!(parsed.data) : undefined;
}

/** Files a mutation names, each by its bucket and path; none where its args are not valid. */
export function filesOf(name: string, args: unknown): readonly string[] {
  if (!Object.hasOwn(mutations, name)) return [];
  const definition = definitionOf(name);
  const parsed = definition.files === undefined ? undefined : definition.args.safeParse(args);
  return parsed?.success ? definition.files!(parsed.data) : [];
}

/**
 * The one place where a mutation happens, on the device and on the server: args, target, permission, repeat, time,
 * effect. Throws a `Rejection` where the answer is no; any other throw is a bug.
 */
export async function runMutation(tx: Tx, name: string, args: unknown, circumstances: Circumstances): Promise<void> {
  const definition = definitionOf(name);
  const parsed = parseArgs(definition, args);
  const row = definition.on === undefined ? undefined : await tx[definition.on].get(definition.target(parsed));
  if (definition.on !== undefined && row === undefined) throw notFound();
  const action = { ...circumstances, args: parsed, row: row as AnyRow };
  if (!definition.allow(action)) throw notFound();
  if (definition.already !== undefined && (await definition.already(tx, action))) return;
  const { now, restored } = circumstances;
  const reason = definition.check?.({ ...action, now: restored?.at ?? now });
  if (reason !== undefined && !(reason.code === 'job-closed' && restored?.wasOpen(row as Job))) throw reason;
  await definition.apply(tx, action);
}

/** The row that a control shows, as far as the rules of this mutation read it. */
export type CheckedRowOf<Name extends MutationName> = CheckedRow<(typeof mutations)[Name]['on']>;

/**
 * Why this person may not do this to this row at `now`; undefined where they may. What a control asks before it is
 * offered: the same rules that the server applies. A row that does not exist has no owner.
 */
export function objectionTo<Name extends MutationName>(
  name: Name,
  { actor, row, now }: { actor: Actor; row: CheckedRowOf<Name> | undefined; now: string },
): Rejection | undefined {
  if (!Object.hasOwn(mutations, name)) return unknownMutation(name);
  const definition = definitionOf(name);
  if (definition.on !== undefined && row === undefined) return notFound();
  const question = { actor, row, now } as Parameters<AnyDefinition['allow']>[0];
  return definition.allow(question) ? definition.check?.(question) : notFound();
}
