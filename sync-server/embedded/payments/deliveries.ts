import { createHmac } from 'node:crypto';
import { hour, minute, second } from '../../../shared/lib/durations.ts';
import type { PaymentParts } from './payment-parts.ts';

export interface Deliveries {
  /** There may be something to deliver. */
  wake(): void;
  /** Delivers what is due; settles when nothing due is left. Repeats that are due later are not waited for. */
  drain(): Promise<void>;
}

export interface DeliveryOptions extends PaymentParts {
  secret: string;
  /** The address that webhooks go to. */
  target: () => string;
  closing: AbortSignal;
  /** For tests: replaces the network for a round of deliveries. They then go out all at once. */
  scramble?: (<T>(round: readonly T[]) => T[]) | undefined;
}

interface Due {
  id: string;
  body: string;
  attempts: number;
}

/** Milliseconds until the next attempt. */
const waits = [second, 5 * second, 30 * second, 2 * minute, 10 * minute, hour];
const giveUpAfter = 40;
const timeoutMs = 15_000;
/** Other instances skip it while one tries, for this long. */
const lease = 2 * timeoutMs;

/**
 * Delivers events to our own webhook, signed, at least once: what is not answered with 2xx is delivered again, with
 * growing pauses.
 */
export function createDeliveries({
  database,
  clock,
  log,
  secret,
  target,
  closing,
  scramble,
}: DeliveryOptions): Deliveries {
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  closing.addEventListener('abort', () => clearTimeout(timer));

  async function claim(): Promise<Due[]> {
    const now = clock();
    const rows = await database.sql
      .updateTable('embedded.payment_events')
      .set((eb) => ({ attempts: eb('attempts', '+', 1), due_at: new Date(now.getTime() + lease) }))
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('embedded.payment_events')
          .select('id')
          .where('delivered_at', 'is', null)
          .where('due_at', '<=', now)
          .orderBy('position')
          .limit(50)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'body', 'attempts', 'position'])
      .execute();
    return rows.toSorted((one, other) => Number(one.position) - Number(other.position));
  }

  async function deliver({ id, body, attempts }: Due): Promise<void> {
    const outcome = await post(body);
    const now = clock();
    if (outcome === undefined) {
      await database.sql
        .updateTable('embedded.payment_events')
        .set({ delivered_at: now })
        .where('id', '=', id)
        .execute();
      return;
    }
    const isOver = attempts >= giveUpAfter;
    // The first few failures mean that the server is starting, or busy.
    log[attempts > 3 ? 'warn' : 'debug']({ event: id, attempts, outcome, isOver }, 'a payment event was not taken');
    const due = isOver ? undefined : new Date(now.getTime() + (waits[attempts - 1] ?? waits.at(-1)!));
    await database.sql
      .updateTable('embedded.payment_events')
      .set({ due_at: due ?? now, delivered_at: isOver ? now : null })
      .where('id', '=', id)
      .where('delivered_at', 'is', null)
      .execute();
  }

  /** Undefined where it was accepted. */
  async function post(body: string): Promise<string | undefined> {
    const at = Math.floor(clock().getTime() / 1000);
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Stripe-Signature': `t=${at},v1=${signature}`,
    };
    try {
      const answer = await fetch(target(), {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.arrayBuffer();
      return answer.ok ? undefined : `status ${answer.status}`;
    } catch (error) {
      const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
      return typeof cause?.code === 'string' ? cause.code : 'no answer';
    }
  }

  async function round(): Promise<void> {
    for (let due = await claim(); due.length > 0 && !closing.aborted; due = await claim()) {
      if (scramble !== undefined) await Promise.all(scramble(due).map(deliver));
      else for (const event of due) await deliver(event);
    }
  }

  async function setTimer(): Promise<void> {
    const { next } = await database.sql
      .selectFrom('embedded.payment_events')
      .select(({ fn }) => fn.min<Date | null>('due_at').as('next'))
      .where('delivered_at', 'is', null)
      .executeTakeFirstOrThrow();
    clearTimeout(timer);
    if (next === null || closing.aborted) return;
    timer = setTimeout(wake, Math.max(250, Math.min(next.getTime() - clock().getTime(), hour))).unref();
  }

  function drain(): Promise<void> {
    // A caller that comes while a round is running may have written after the round read.
    const mine = (running ?? Promise.resolve()).then(round);
    const settled = mine.catch(() => undefined);
    running = settled;
    return mine;
  }

  function wake(): void {
    if (closing.aborted) return;
    drain()
      .then(setTimer)
      .catch((error: unknown) => {
        if (!closing.aborted) log.error({ err: error }, 'payment events could not be delivered');
      });
  }

  return { wake, drain };
}
