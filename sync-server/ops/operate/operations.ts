import * as z from 'zod';
import { Rejection } from '../../../shared/mutations/rejection.ts';
import type { Deps } from '../../ports/deps.ts';
import { HttpProblem, notFound } from '../../http/http-problem.ts';
import { runRetention } from '../retention/run-retention.ts';
import { describeError } from '../../sync/error-kind.ts';
import { NoDeadLetter, replayDeadLetter } from '../../sync/replay-dead-letter.ts';
import { recordBackup, type SafeSource } from '../../store/safe-point.ts';
import { readSafety } from '../health/safety.ts';
import { audit } from './audit.ts';
import { discardDeadLetter, listDeadLetters, readDeadLetter } from './dead-letters.ts';
import { exportPerson, findPerson, syncStateOf, type Person } from './person.ts';

export type OperateParts = Pick<
  Deps,
  'database' | 'clock' | 'log' | 'findFiles' | 'retention' | 'personalDataOf' | 'backUp'
> & { safeBy?: SafeSource | undefined };

interface Operation {
  /** Changes something: a POST, and only with a token. */
  writes: boolean;
  /** As text, for a query string and a command line can say nothing else. */
  args: z.ZodType;
  run(parts: OperateParts, args: never, requestId: string): Promise<unknown>;
}

/** Keeps `run` honest about its `args`. */
function operation<Args extends z.ZodType>(
  writes: boolean,
  args: Args,
  run: (parts: OperateParts, args: z.output<Args>, requestId: string) => Promise<unknown>,
): Operation {
  return { writes, args, run: run as Operation['run'] };
}

const one = z.strictObject({ userId: z.uuid(), uid: z.uuid() });
const whom = z.strictObject({ user: z.string().min(1) });
const noDeadLetter = () => notFound('Nothing waits under this uid', 'nothing-parked');

/**
 * What an operator can do: by `npm run`, or by `/api/admin/<name>` with the admin token. Each access to one person's
 * data leaves a row in
 * `admin_audit` and a line in the log.
 */
export const operations = {
  'parked.list': operation(false, z.strictObject({ userId: z.uuid().optional() }), ({ database }, args) =>
    listDeadLetters(database.sql, args),
  ),

  'parked.read': operation(false, one, async (parts, args, requestId) => {
    const deadLetter = await readDeadLetter(parts.database.sql, args);
    await audit(parts.database.sql, parts.log, parts.clock(), {
      action: 'parked.read',
      ...args,
      requestId,
      result: deadLetter ? 'done' : 'nothing-parked',
    });
    if (deadLetter === undefined) throw noDeadLetter();
    return deadLetter;
  }),

  'parked.replay': operation(true, one, async (parts, args, requestId) => {
    const note = (result: string) =>
      audit(parts.database.sql, parts.log, parts.clock(), { action: 'parked.replay', ...args, requestId, result });
    try {
      await replayDeadLetter(parts, args);
    } catch (error) {
      if (error instanceof NoDeadLetter) {
        await note('nothing-parked');
        throw noDeadLetter();
      }
      await note(error instanceof Rejection ? error.code : 'fault');
      if (error instanceof Rejection)
        throw new HttpProblem(409, { error: `It is refused now: ${error.message}`, code: error.code });
      parts.log.error({ ...args, requestId, error: describeError(error) }, 'a parked mutation failed again');
      throw new HttpProblem(409, {
        error: 'It fails still, and stays a dead letter. The log says how.',
        code: 'still-failing',
      });
    }
    await note('done');
    return { replayed: args.uid };
  }),

  'parked.discard': operation(true, one, async (parts, args, requestId) => {
    const isDone = await parts.database.transaction(async (sql) => {
      const done = await discardDeadLetter(sql, args, parts.clock());
      await audit(sql, parts.log, parts.clock(), {
        action: 'parked.discard',
        ...args,
        requestId,
        result: done ? 'done' : 'nothing-parked',
      });
      return done;
    });
    if (!isDone) throw noDeadLetter();
    return { discarded: args.uid };
  }),

  'person.state': operation(false, whom, async (parts, { user }, requestId) => {
    const { id } = await mustFind(parts, user);
    await audit(parts.database.sql, parts.log, parts.clock(), {
      action: 'person.state',
      userId: id,
      requestId,
      result: 'done',
    });
    return syncStateOf(parts.database.sql, id);
  }),

  'person.export': operation(true, whom, async (parts, { user }, requestId) => {
    const person = await mustFind(parts, user);
    await audit(parts.database.sql, parts.log, parts.clock(), {
      action: 'person.export',
      userId: person.id,
      requestId,
      result: 'done',
    });
    return exportPerson(parts, person);
  }),

  'backup.take': operation(true, z.strictObject({}), async (parts, _args, requestId) => {
    const made = await parts.backUp(parts.clock());
    await audit(parts.database.sql, parts.log, parts.clock(), { action: 'backup.take', requestId, result: 'done' });
    return made;
  }),

  'backup.copied': operation(
    true,
    z.strictObject({ timeline: z.uuid(), version: z.string().regex(/^\d{1,18}$/), at: z.iso.datetime() }),
    async ({ database }, { timeline, version, at }) => {
      await recordBackup(database.sql, { timeline, version, at: new Date(at) });
      return { recorded: version };
    },
  ),

  'safety.read': operation(false, z.strictObject({}), ({ database, clock, safeBy }) =>
    readSafety(database, clock(), safeBy),
  ),

  'retention.run': operation(
    true,
    z.strictObject({
      dryRun: z.union([z.boolean(), z.literal(['true', 'false']).transform((text) => text === 'true')]),
    }),
    (parts, args) => runRetention(parts, args),
  ),
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

async function mustFind({ database }: OperateParts, who: string): Promise<Person> {
  const person = await findPerson(database.sql, who);
  if (person === undefined) throw notFound('Nobody with a profile has this id or email', 'nobody');
  return person;
}

/**
 * @throws HttpProblem 400 `invalid` where the args are not the operation's; what the operation throws.
 */
export function operate(parts: OperateParts, name: OperationName, given: unknown, requestId: string): Promise<unknown> {
  const { args, run }: Operation = operations[name];
  const parsed = args.safeParse(given);
  if (!parsed.success)
    throw new HttpProblem(400, {
      error: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'args'}: ${message}`),
      code: 'invalid',
    });
  return run(parts, parsed.data as never, requestId);
}
