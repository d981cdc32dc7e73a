import { gunzipSync } from 'node:zlib';
import { exchangeRequestSchema, type ExchangeAnswer, type ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { protocolVersion } from '../../shared/protocol/version.ts';
import { carriedChangeSchema, changeEvent, pokeEvent, pokeHeartbeatMs } from '../../shared/protocol/poke.ts';
import { collectionNames, collections as collectionDefinitions } from '../../shared/tables/collections.ts';
import { isTransient } from '../../sync-server/db/is-transient.ts';
import { findActors } from '../../sync-server/sync/find-actors.ts';
import { mayReadCollection } from '../../sync-server/collections/collection-answer.ts';
import { PersonMissing, OtherPerson } from '../../sync-server/sync/exchange.ts';
import { ProfileMissing } from '../../sync-server/sync/read-actor.ts';
import type { SimProcess } from '../time/loop.ts';
import type { Instance } from './cluster.ts';
import type { AuthServer } from './auth-server.ts';
import type { Bucket } from './bucket.ts';
import type { Question, Said } from './wire.ts';

/** The services beside a server's sync: sign-in, and files. */
export interface Beside {
  auth: AuthServer;
  bucket: Bucket;
  /** Called with a server's answer, before it is sent. */
  onAnswered(answer: ExchangeAnswer): void;
  /** Called as a device asks; what it returns, with the answer, before that is sent. */
  onAsked(proc: SimProcess, request: ExchangeRequest): (answer: ExchangeAnswer) => void;
}

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Said => ({
  status,
  body: JSON.stringify({ error: 'No.', code }),
  headers,
});

/**
 * The HTTP side of one server process, thinner than Koa's but with the same rules (exchange-route, collection-routes,
 * poke-route, problems): who asks, is it a request at all, and which status a throw becomes. What it calls is the
 * product's own.
 */
export async function answerHttp(
  instance: Instance,
  { auth, bucket, onAnswered, onAsked }: Beside,
  question: Question,
): Promise<Said> {
  if (question.path.startsWith('/auth/v1/')) return auth.answer(question);
  const userId = auth.userOf(question.token);
  if (question.path.startsWith('/storage/v1/object/')) return bucket.answer(question, userId);
  if (question.path.startsWith('/api/sync/poke')) {
    if (userId === undefined) return problem(401, 'sign-in-needed');
    return streamPokes(
      instance,
      { userId, device: question.path.endsWith('?changes=1') ? deviceOf(question) : undefined },
      (text) => {
        const { answer } = carriedChangeSchema.parse(JSON.parse(text));
        onAnswered(answer);
      },
      () => auth.userOf(question.token) === userId,
    );
  }
  const collection = /^\/api\/sync\/shelves\/(\w+)(?:\/([0-9a-f]{64}))?$/.exec(question.path);
  try {
    if (collection !== null) return await readCollection(instance, userId, String(collection[1]), collection[2]);
    if (question.path !== '/api/sync') return problem(404, 'not-found');
    if (userId === undefined) return problem(401, 'sign-in-needed');
    return await exchange(instance, { userId, device: deviceOf(question) }, question.body ?? '', onAsked);
  } catch (error) {
    if (error instanceof OtherPerson) return problem(401, 'other-person');
    if (error instanceof PersonMissing) return problem(426, 'update-needed');
    if (error instanceof ProfileMissing) return problem(403, 'profile-missing');
    return isTransient(error) ? problem(503, 'unavailable', { 'Retry-After': '5' }) : problem(500, 'internal');
  }
}

async function exchange(
  instance: Instance,
  person: { userId: string; device: string | undefined },
  body: string,
  onAsked: Beside['onAsked'],
): Promise<Said> {
  const given: unknown = JSON.parse(body);
  const { protocol } = given as { protocol?: unknown };
  if (typeof protocol === 'number' && protocol < 1) return problem(426, 'update-needed');
  if (typeof protocol === 'number' && protocol > protocolVersion)
    return problem(503, 'unavailable', { 'Retry-After': '30' });
  const request = exchangeRequestSchema.safeParse(given);
  if (!request.success) return problem(400, 'invalid');
  const onAnswered = onAsked(instance.proc, request.data);
  // A server that knows other rows differs from this one in the schema that its cookies name, and in nothing else.
  const answer = await instance.exchange(person, {
    ...request.data,
    schema: request.data.schema + instance.schemaShift,
  });
  onAnswered(answer);
  return { status: 200, body: JSON.stringify(answer) };
}

/** A manifest, or one of its segments. */
async function readCollection(
  instance: Instance,
  userId: string | undefined,
  name: string,
  hash: string | undefined,
): Promise<Said> {
  const collection = collectionNames.find((one) => one === name);
  if (collection === undefined) return problem(404, 'not-found');
  if (collectionDefinitions[collection].readers !== 'public') {
    if (userId === undefined) return problem(401, 'sign-in-needed');
    const actor = (await findActors(instance.parts.store, [userId])).get(userId);
    if (!mayReadCollection(collection, actor, instance.parts.clock().toISOString()))
      return problem(403, 'subscription-required');
  }
  if (hash === undefined) {
    const manifest = await instance.collections.manifest(collection);
    return manifest === undefined
      ? problem(503, 'unavailable', { 'Retry-After': '5' })
      : { status: 200, body: JSON.stringify(manifest) };
  }
  const segment = await instance.collections.segment(collection, hash);
  return segment === undefined
    ? problem(404, 'not-found')
    : { status: 200, body: gunzipSync(segment.gzip).toString('utf8') };
}

/** The device that a request names. */
const deviceOf = ({ headers }: Question) => headers?.['x-device-id'];

function streamPokes(
  instance: Instance,
  { userId, device }: { userId: string; device: string | undefined },
  onCarried: (text: string) => void,
  isSessionLive: () => boolean,
): Said {
  return {
    status: 200,
    body: '',
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8' },
    stream: (hear, ended) => {
      let isOver = false;
      let disconnect = () => {};
      const beat = setInterval(() => hear(':\n\n'), pokeHeartbeatMs);
      const end = () => {
        isOver = true;
        clearInterval(beat);
        instance.connections.delete(lost);
        disconnect();
      };
      const lost = () => {
        end();
        ended();
      };
      instance.connections.add(lost);
      const changes =
        device === undefined
          ? undefined
          : {
              device,
              isSessionLive: () => Promise.resolve(isSessionLive()),
              onChange: (text: string) => {
                onCarried(text);
                hear(`event: ${changeEvent}\ndata: ${text}\n\n`);
                return true;
              },
            };
      instance.poke.connect({ userId, onPoke: () => hear(`event: ${pokeEvent}\ndata:\n\n`), changes }).then((stop) => {
        if (isOver) stop();
        else disconnect = stop;
      }, lost);
      return end;
    },
  };
}
