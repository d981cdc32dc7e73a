import { createHash } from 'node:crypto';
import type { Sql } from '../../db/database.ts';
import { paymentCalls } from './calls.ts';
import { embeddedVersion } from './embedded-version.ts';
import { createObjectId } from './objects.ts';
import type { PaymentContext } from './payment-parts.ts';
import { StripeProblem } from './stripe-problem.ts';
import { daySeconds } from './subscription-transitions.ts';

interface Said {
  status: number;
  body: string;
  isReplay?: boolean;
}

interface Asked {
  method: string;
  path: string;
  encoded: string;
  /** The key of a POST. */
  key: string | undefined;
}

/** Runs something with one clock reading, alone. */
export type AtOnce = <T>(work: (context: PaymentContext) => Promise<T>) => Promise<T>;

/**
 * The provider's API as a `fetch`, answered in this process: no other one can reach it.
 *
 * Idempotency as the provider has it: the same key and parameters get the first answer again, also where that was an
 * error.
 */
export function answerCalls(secretKey: string, atOnce: AtOnce): typeof globalThis.fetch {
  async function say({ method, path, encoded, key }: Asked): Promise<Said> {
    const found = paymentCalls
      .map((call) => ({ call, match: call.path.exec(path) }))
      .find(({ call, match }) => call.method === method && match !== null);
    const digest = createHash('sha256').update(`${method} ${path}\n${encoded}`).digest('hex');
    try {
      if (found === undefined)
        throw new StripeProblem(404, {
          type: 'invalid_request_error',
          message: `Unrecognized request URL (${method}: ${path}).`,
        });
      return await atOnce(async (context) => {
        const before = key === undefined ? undefined : await findAnswer(context.sql, key, digest);
        if (before !== undefined) return before;
        const body = JSON.stringify(
          await found.call.answer(context, decodeURIComponent(found.match?.[1] ?? ''), encoded),
        );
        if (key !== undefined) await keepAnswer(context.sql, context.now, { key, digest, status: 200, body });
        return { status: 200, body };
      });
    } catch (error) {
      if (!(error instanceof StripeProblem)) throw error;
      const { status } = error;
      const body = JSON.stringify(error.body);
      if (key !== undefined && error.body.error.type !== 'idempotency_error')
        await atOnce((context) => keepAnswer(context.sql, context.now, { key, digest, status, body }));
      return { status, body };
    }
  }

  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const text = await request.text();
    const headers = {
      'Content-Type': 'application/json',
      'Request-Id': createObjectId('req'),
      'Stripe-Version': request.headers.get('Stripe-Version') ?? embeddedVersion,
    };
    if (request.headers.get('Authorization') !== `Bearer ${secretKey}`) {
      return new Response(
        JSON.stringify({ error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } }),
        { status: 401, headers },
      );
    }
    const key = request.method === 'POST' ? (request.headers.get('Idempotency-Key') ?? undefined) : undefined;
    const said = await say({
      method: request.method,
      path: url.pathname,
      encoded: text === '' ? url.search.slice(1) : text,
      key,
    });
    return new Response(said.body, {
      status: said.status,
      headers: { ...headers, ...(said.isReplay ? { 'Idempotent-Replayed': 'true' } : {}) },
    });
  };
}

async function findAnswer(sql: Sql, key: string, digest: string): Promise<Said | undefined> {
  const before = await sql
    .selectFrom('embedded.payment_requests')
    .select(['digest', 'status', 'body'])
    .where('key', '=', key)
    .executeTakeFirst();
  if (before === undefined) return undefined;
  if (before.digest === digest) return { status: before.status, body: before.body, isReplay: true };
  throw new StripeProblem(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try another key than '${key}'.`,
  });
}

async function keepAnswer(
  sql: Sql,
  now: number,
  { key, digest, status, body }: { key: string; digest: string; status: number; body: string },
): Promise<void> {
  await sql
    .deleteFrom('embedded.payment_requests')
    .where('at', '<', new Date((now - daySeconds) * 1000))
    .execute();
  await sql
    .insertInto('embedded.payment_requests')
    .values({ key, digest, status, body, at: new Date(now * 1000) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}
