import type { Context } from 'koa';
import { AuthProblem } from './auth-problem.ts';

const limit = 1024 * 1024;

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
 * @throws AuthProblem 413 `request_entity_too_large` past 1 MiB, 400 `bad_json` where it is no JSON object.
 */
export async function readJson(ctx: Context): Promise<Record<string, unknown>> {
  const bytes = await readBytes(ctx);
  if (bytes.length === 0) return {};
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), refuseUnstorable);
  } catch {
    throw badJson();
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badJson();
  return body as Record<string, unknown>;
}

async function readBytes(ctx: Context): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop early must not destroy the connection: the refusal still has to go out on it.
    for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw new AuthProblem(413, 'request_entity_too_large', 'Request body exceeds 1 MiB');
      chunks.push(chunk);
    }
  } catch (cause) {
    // The sender went away in the middle.
    if (ctx.req.destroyed && !ctx.req.complete) throw badJson();
    throw cause;
  }
  return Buffer.concat(chunks);
}

/** The field as text; anything else counts as absent. */
export function textField(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}
