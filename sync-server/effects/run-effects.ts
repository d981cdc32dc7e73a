import { day, hour, minute } from '../../shared/lib/durations.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../lib/log.ts';
import { effectPayloads, type EffectName, type PayloadOf } from './effect.ts';
import { effectsChannel } from './record-effects.ts';

/** Why an effect came to its end without being done, and is none that failed. */
export const effectNotes = { gone: 'gone', unneeded: 'not needed' } as const;
type Note = (typeof effectNotes)[keyof typeof effectNotes];

/** How each effect is done. Rejects where it is to be tried again. `key` names it for ever. */
export type EffectHandlers = {
  readonly [Name in EffectName]: (payload: PayloadOf<Name>, key: string) => Promise<Note | undefined | void>;
};

export interface Effects {
  start(): Promise<void>;
  /** Does what is due, until nothing is. */
  run(): Promise<void>;
  /** Waits for effects under way. Before the database is closed. */
  close(): Promise<void>;
}

interface EffectParts {
  database: Database;
  clock: () => Date;
  log: Pick<Log, 'warn' | 'error'>;
  handlers: EffectHandlers;
}

interface Claimed {
  id: string;
  name: string;
  key: string;
  payload: unknown;
  at: Date;
  attempts: number;
}

export const effectRules = {
  attempts: 8,
  /** A worker that has not finished by then is taken for dead: longer than any doer takes. */
  lease: 5 * minute,
  /** Before the next attempt, after so many. */
  backOff: (attempts: number) => Math.min(30_000 * 4 ** (attempts - 1), 6 * hour),
  /** What is older than this is of no use any more: a person who waits for a link has asked for another one. */
  tooOld: {
    'interest.mail': 3 * day,
    'job.alerts': day,
    'alerts.tell': 3 * day,
    'push.send': 12 * hour,
    'alerts.mail': day,
    'trial.mail': 2 * day,
    'mail.send': hour,
  } satisfies Record<EffectName, number>,
  atOnce: 10,
  look: 15_000,
  /**
   * After a notice: five hundred mails must not begin beside the very exchange that recorded them and has yet to be
   * answered.
   */
  after: 250,
  /** How long a finished effect is kept, so that it is not done again. */
  forget: 30 * day,
} as const;

/**
 * Does what follows committed mutations, once: an effect is claimed for a while by one worker of one instance, tried
 * again with growing pauses, and given up after some attempts. Where a worker dies between doing it and recording so it
 * is done twice; the receiver can detect that by its key.
 */
export function openEffectRunner({ database, clock, log, handlers }: EffectParts): Effects {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  let stopListening: (() => Promise<void>) | undefined;

  async function claim(): Promise<Claimed[]> {
    const now = clock();
    const rows = await database.sql
      .updateTable('effect')
      .set((eb) => ({ attempts: eb('attempts', '+', 1), due_at: new Date(now.getTime() + effectRules.lease) }))
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('effect')
          .select('id')
          .where('done_at', 'is', null)
          .where('due_at', '<=', now)
          .orderBy('due_at')
          .orderBy('id')
          .limit(effectRules.atOnce)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'name', 'key', 'payload', 'at', 'attempts'])
      .execute();
    return rows.map((row) => ({ ...row, key: row.key ?? `effect:${row.id}` }));
  }

  async function finish({ id, attempts }: Claimed, why: string | null): Promise<void> {
    // A mail's content is kept no longer than it takes to send it.
    await database.sql
      .updateTable('effect')
      .set({ done_at: clock(), last_error: why, payload: '{}' })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('done_at', 'is', null)
      .execute();
  }

  async function perform(claimed: Claimed): Promise<void> {
    const { id, name, attempts, at } = claimed;
    const known = Object.hasOwn(effectPayloads, name) ? (name as EffectName) : undefined;
    const age = clock().getTime() - at.getTime();
    if (attempts > effectRules.attempts || age > (known === undefined ? Infinity : effectRules.tooOld[known])) {
      log.error({ effect: id, name, attempts }, 'an effect was given up');
      return finish(claimed, attempts > effectRules.attempts ? 'too many attempts' : 'too old');
    }
    let note: Note | undefined | void;
    try {
      if (known === undefined) throw new Error('this server does not know the effect');
      note = await handlers[known](effectPayloads[known].parse(claimed.payload) as never, claimed.key);
    } catch (error) {
      const why = kindOf(error);
      const isLast = attempts >= effectRules.attempts;
      log[isLast ? 'error' : 'warn'](
        { effect: id, name, attempts, why },
        isLast ? 'an effect was given up' : 'an effect is to be tried again',
      );
      if (isLast) return finish(claimed, why);
      const due = new Date(clock().getTime() + effectRules.backOff(attempts));
      await database.sql
        .updateTable('effect')
        .set({ due_at: due, last_error: why })
        .where('id', '=', id)
        .where('attempts', '=', attempts)
        .where('done_at', 'is', null)
        .execute();
      return;
    }
    await finish(claimed, note ?? null);
  }

  async function runDue(): Promise<void> {
    for (let claimed = await claim(); claimed.length > 0 && !isClosed; claimed = await claim())
      await Promise.all(claimed.map(perform));
  }

  /** One run at a time; what comes meanwhile is seen by another one after it. */
  function run(): Promise<void> {
    isWanted = true;
    running ??= (async () => {
      while (isWanted && !isClosed) {
        isWanted = false;
        await runDue();
      }
    })().finally(() => void (running = undefined));
    return running;
  }

  const look = () => {
    run().catch((error: unknown) => log.warn({ err: error }, 'effects wait for the database'));
  };

  return {
    run,
    async start() {
      stopListening = await database.listen(effectsChannel, () => {
        soon ??= setTimeout(() => {
          soon = undefined;
          look();
        }, effectRules.after).unref();
      });
      timer = setInterval(look, effectRules.look).unref();
      await database.sql
        .deleteFrom('effect')
        .where('done_at', '<', new Date(clock().getTime() - effectRules.forget))
        .execute();
      look();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(soon);
      await stopListening?.();
      await running?.catch(() => undefined);
    },
  };
}

/** What kind of error it was. Messages of SMTP servers name people. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return [error.name, code, responseCode]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ');
}
