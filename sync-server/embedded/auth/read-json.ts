import type { Context } from 'koa';
import { HttpProblem } from '../../http/http-problem.ts';
import { parseJson, readBody } from '../../http/read-body.ts';
import { AuthProblem } from './auth-problem.ts';

/** Bytes: an address, a password, a few fields, and a token. */
const limit = 32 * 1024;

const badJson = () => new AuthProblem(400, 'bad_json', 'Could not parse request body as JSON');
const unstorable = /\0|\p{Surrogate}/u;

/** PostgreSQL stores neither NUL nor half a surrogate pair, in text or in jsonb. */
function refuseUnstorable(key: string, value: unknown): unknown {
  for (const text of [key, value]) {
    if (typeof text === 'string' && unstorable.test(text)) throw new Error('not storable');
  }
  return value;
}

/**
 * The JSON object in the request's body; an empty body is an empty object.
 *
 * @throws AuthProblem 413 `request_entity_too_large` past 32 KiB, 400 `bad_json` where it is no JSON object.
 */
export async function readAuthJson(ctx: Context): Promise<Record<string, unknown>> {
  const body = await readValue(ctx);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badJson();
  return body as Record<string, unknown>;
}

async function readValue(ctx: Context): Promise<unknown> {
  try {
    const bytes = await readBody(ctx, { limit });
    return bytes.length === 0 ? {} : parseJson(bytes, refuseUnstorable);
  } catch (cause) {
    if (!(cause instanceof HttpProblem)) throw cause;
    if (cause.status === 413)
      throw new AuthProblem(413, 'request_entity_too_large', `Request body exceeds ${limit} bytes`);
    throw badJson();
  }
}

/** The field as text; anything else counts as absent. */
export function textField(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}
