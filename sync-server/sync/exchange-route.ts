import Router from '@koa/router';
import type { Context } from 'koa';
import {
  exchangeRequestSchema,
  maxMutations,
  maxRequestBytes,
  type ExchangeAnswer,
  type ExchangeRequest,
} from '../../shared/protocol/exchange.ts';
import { mutationsVersion, protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import type { Deps } from '../ports/deps.ts';
import { authenticate } from '../http/authenticate.ts';
import {
  badRequest,
  forbidden,
  HttpProblem,
  isOtherPerson,
  signInNeeded,
  tooMany,
  unavailable,
  updateNeeded,
} from '../http/http-problem.ts';
import { readJson } from '../http/read-body.ts';
import { noteInLog } from '../http/request-log.ts';
import { deviceOf } from './device-of.ts';
import { describeExchange } from './describe-exchange.ts';
import { PersonMissing, OtherPerson, type Exchange } from './exchange.ts';
import { TooManyExchanges } from './exchange-limit.ts';
import { ProfileMissing } from './read-actor.ts';

export type ExchangeDeps = Pick<Deps, 'verifyToken' | 'anonKey'> & {
  exchange: Exchange;
  /**
   * Called for each exchange once it is answered or has failed, and for none that was rejected; for metrics, never for
   * the answer.
   */
  observe?: ((seen: ExchangeSeen) => void) | undefined;
};

export interface ExchangeSeen {
  userId: string;
  /** The device's id, where it sends one. */
  device: string | undefined;
  ms: number;
  request: ExchangeRequest;
  /** Undefined where there was none. */
  answer: ExchangeAnswer | undefined;
}

/** The oldest shape of the exchange that is still answered (S6). */
const oldestProtocol = 1;

/**
 * `POST /api/sync` (bearer; JSON, may be gzip): the exchange of SPEC P1. Body and answer: shared/protocol/exchange.ts;
 * `no-store`.
 *
 * 400 `malformed` or `invalid` where the body is no request; 401 `sign-in-needed`, or `other-person` where the request
 * names another person than the token (S9); 403 `profile-missing` before the person has completed their profile; 413
 * `too-large` past 512 KiB or 500 mutations: send fewer; 426 `update-needed` where the app is too old, or names no
 * person and has no cookie that does (S9); 429
 * `too-many` with Retry-After past a person's share (exchange-limit.ts); 503 with Retry-After where it is newer than
 * this server, or the database does not answer. Whatever was decided stays decided: a repeat returns the outcomes.
 */
export function exchangeRoute({ exchange, observe, ...deps }: ExchangeDeps): Router {
  const router = new Router();
  router.post('/api/sync', async (ctx) => {
    const claims = await authenticate(ctx, deps);
    if (claims === undefined) throw signInNeeded();
    const request = await readRequest(ctx);
    ctx.set('Cache-Control', 'no-store');
    const began = performance.now();
    const device = deviceOf(ctx.get('X-Device-Id'));
    const note = (answer: ExchangeAnswer | undefined) => noteInLog(ctx, describeExchange(request, answer));
    const tell = (answer: ExchangeAnswer | undefined) => {
      note(answer);
      observe?.({ userId: claims.userId, device, ms: performance.now() - began, request, answer });
    };
    try {
      const answer = await exchange({ userId: claims.userId, device }, request);
      tell(answer);
      ctx.body = answer;
    } catch (error) {
      const turnedAway = turnedAwayBy(error);
      if (turnedAway === undefined) tell(undefined);
      else note(undefined);
      throw turnedAway ?? error;
    }
  });
  return router;
}

/** The answer to a rejected exchange; undefined for any other error. */
function turnedAwayBy(error: unknown): HttpProblem | undefined {
  if (error instanceof OtherPerson) return isOtherPerson();
  if (error instanceof PersonMissing) return updateNeeded();
  if (error instanceof ProfileMissing) return forbidden('Complete your profile first.', 'profile-missing');
  return error instanceof TooManyExchanges ? tooMany(Math.ceil(error.waitMs / 1_000)) : undefined;
}

async function readRequest(ctx: Context): Promise<ExchangeRequest> {
  const body = await readJson(ctx, { limit: maxRequestBytes });
  // The version is read before anything else: another one may look different everywhere else.
  const protocol = numberIn(body, 'protocol');
  if (protocol !== undefined && protocol < oldestProtocol) throw updateNeeded();
  // While a new release is rolled out, its app may reach an instance of the last one, which would reject for good a
  // mutation that it does not know, and drop an arg that it does not know.
  const known = { protocol: protocolVersion, schema: schemaVersion, mutationsVersion };
  const isNewer = Object.entries(known).some(([name, version]) => (numberIn(body, name) ?? version) > version);
  if (isNewer) throw unavailable('This server is being updated. Try again in a moment.', 30);
  if (lengthIn(body, 'mutations') > maxMutations || lengthIn(body, 'awaiting') > maxMutations) {
    throw new HttpProblem(413, {
      error: `A request may carry ${maxMutations} changes at most`,
      code: 'too-large',
      details: { mutations: maxMutations },
    });
  }
  const parsed = exchangeRequestSchema.safeParse(body);
  const places = parsed.success
    ? unheldTimelines(parsed.data)
    : [...new Set(parsed.error.issues.map(({ path }) => path.join('.') || 'body'))];
  if (parsed.success && places.length === 0) return parsed.data;
  throw badRequest('That is not an exchange', 'invalid', { places: places.slice(0, 20) });
}

/**
 * Where a timeline is named by what no server of ours has called one, and PostgreSQL may not hold: a NUL, half a
 * letter.
 */
function unheldTimelines({ journal = [], timelines = {}, mutations }: ExchangeRequest): string[] {
  const named: [string, string | undefined][] = [
    ...journal.map((one, at): [string, string] => [`journal.${at}`, one]),
    ...Object.entries(timelines).map(([name, one]): [string, string | undefined] => [`timelines.${name}`, one]),
    ...mutations.map(({ from }, at): [string, string | undefined] => [`mutations.${at}.from.timeline`, from?.timeline]),
  ];
  return named.flatMap(([place, one]) => (one === undefined || /^[\x20-\x7e]*$/.test(one) ? [] : place));
}

function partOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

function numberIn(body: unknown, name: string): number | undefined {
  const value = partOf(body, name);
  return typeof value === 'number' ? value : undefined;
}

function lengthIn(body: unknown, name: string): number {
  const value = partOf(body, name);
  return Array.isArray(value) ? value.length : 0;
}
