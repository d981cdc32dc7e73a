import type { Context } from 'koa';
import { AuthProblem } from './auth-problem.ts';

const limit = 1024 * 1024;

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
 * @throws AuthProblem 413 `request_entity_too_large` past 1 MiB, 400 `bad_json` where it is no JSON object.
 */
export async function readJson(ctx: Context): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new AuthProblem(413, 'request_entity_too_large', 'Request body exceeds 1 MiB');
    chunks.push(chunk);
  }
  if (size === 0) return {};
  const badJson = new AuthProblem(400, 'bad_json', 'Could not parse request body as JSON');
  let body: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    body = JSON.parse(text, refuseUnstorable);
  } catch {
    throw badJson;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badJson;
  return body as Record<string, unknown>;
}

/** The field as text; anything else counts as absent. */
export function textField(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}
