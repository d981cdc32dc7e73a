import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import type { Context } from 'koa';
import type * as z from 'zod/mini';
import {
  callNames,
  calls,
  type AnswerOf,
  type BodyOf,
  type CallName,
  type ParamsOf,
  type QueryOf,
} from '../../shared/api/index.ts';
import { fileAddress } from '../../shared/lib/file-ref.ts';
import type { User } from '../../shared/tables/index.ts';
import type { Deps, TokenClaims } from '../ports/deps.ts';
import { authenticate } from '../http/authenticate.ts';
import { badRequest, forbidden, notFound, signInNeeded } from '../http/http-problem.ts';
import { readJson } from '../http/read-body.ts';
import { derivedId } from './decide.ts';
import { createPublicAnswers, type PublicAnswer } from './public-answers.ts';

/** What a handler is given: parsed input and the caller, as far as the call's `access` promises one. */
export interface Call<Name extends CallName> {
  params: ParamsOf<Name>;
  query: QueryOf<Name>;
  body: BodyOf<Name>;
  claims: AccessOf<Name> extends 'public' | 'optional' ? TokenClaims | undefined : TokenClaims;
  person: AccessOf<Name> extends 'member' ? User : User | undefined;
  /** Names this request for ever; the same again where the caller's `Idempotency-Key` and the call are the same. */
  uid: string;
  requestId: string;
  /** The origin that the request came to, e.g. `http://localhost:8080`. */
  origin: string;
  /** The public address of a file that a row keeps by its bucket and path. */
  addressOf(kept: string): string;
}

type AccessOf<Name extends CallName> = (typeof calls)[Name]['access'];

export type Handler<Name extends CallName> = (call: Call<Name>) => Promise<AnswerOf<Name>>;
export type Handlers = { readonly [Name in CallName]: Handler<Name> };

type FindPerson = (userId: string) => Promise<User | undefined>;
type AnyHandler = (call: unknown) => Promise<unknown>;

const maxKeyLength = 200;

/**
 * The documented calls as routes. Literal paths come before those with a parameter, whatever order they are listed in.
 */
export function callRouter(deps: Deps, handlers: Handlers, findPerson: FindPerson): Router {
  const router = new Router();
  const publicAnswers = createPublicAnswers({ sql: deps.database.sql, clock: deps.clock });
  for (const name of callNames.toSorted((one, other) => parametersIn(one) - parametersIn(other))) {
    const call = calls[name];
    router.register(call.path, [call.method], async (ctx: Context) => {
      ctx.set('Cache-Control', call.isPublic ? 'public, max-age=0, must-revalidate' : 'no-store');
      const handler = handlers[name] as unknown as AnyHandler;
      const asked = await readCall(ctx, name, deps, findPerson);
      const make = async () => call.answer.parse(await handler(asked));
      ctx.status = call.status;
      ctx.type = 'application/json';
      // Addresses in it are those of the origin that it was asked at.
      if (call.isPublic) answerUnlessFresh(ctx, await publicAnswers(`${name} ${ctx.origin}`, make));
      else ctx.body = JSON.stringify(await make());
    });
  }
  return router;
}

const parametersIn = (name: CallName) => calls[name].path.split(':').length;

async function readCall(ctx: Context, name: CallName, deps: Deps, findPerson: FindPerson): Promise<unknown> {
  const call = calls[name];
  // What is the same for every caller is not withheld from one whose session has just ended.
  const claims = call.access === 'public' ? undefined : await authenticate(ctx, deps);
  if (claims === undefined && call.access !== 'optional' && call.access !== 'public') throw signInNeeded();
  const person = claims === undefined ? undefined : await findPerson(claims.userId);
  if (person === undefined && call.access === 'member')
    throw forbidden('Complete your profile first.', 'profile-missing');
  const params = call.params.safeParse(ctx['params']);
  // An id that cannot be one names nothing.
  if (!params.success) throw notFound();
  return {
    params: params.data,
    query: parse(call.query, ctx.query),
    body: call.method === 'GET' ? {} : parse(call.body, isEmpty(ctx) ? {} : await readJson(ctx)),
    claims,
    person,
    uid: uidOf(ctx, name, claims),
    requestId: String(ctx.state['requestId']),
    origin: ctx.origin,
    addressOf: (kept: string) => fileAddress(deps.config.supabase?.url ?? deps.config.publicUrl ?? ctx.origin, kept),
  };
}

/** The uid contains the person: the keys that two people choose are none of each other's business. */
function uidOf(ctx: Context, name: CallName, claims: TokenClaims | undefined): string {
  const key = ctx.get('Idempotency-Key');
  if (key.length > maxKeyLength) throw badRequest(`An Idempotency-Key can be ${maxKeyLength} characters at most.`);
  return key === '' ? randomUUID() : derivedId('idempotency-key', claims?.userId ?? '', name, key);
}

/** Some documented calls have no body at all. */
function isEmpty(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') === '' && Number(ctx.get('Content-Length')) === 0;
}

/** One message a field, all of them at once; `details.fields` names them. */
function parse(schema: z.ZodMiniType, input: unknown): unknown {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message;
  const messages = Object.values(fields);
  throw badRequest(messages.length === 1 ? messages.join() : messages, 'invalid', { fields });
}

/**
 * A strong validator (RFC 9110, section 13.1.2). Koa's own check would answer in full whenever a client also says
 * `no-cache`.
 */
function answerUnlessFresh(ctx: Context, { text, etag }: PublicAnswer): void {
  ctx.set('ETag', etag);
  ctx.body = text;
  ctx.type = 'application/json';
  const known = ctx
    .get('If-None-Match')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''));
  if (!known.includes(etag) && !known.includes('*')) return;
  ctx.status = 304;
  ctx.body = null;
}
