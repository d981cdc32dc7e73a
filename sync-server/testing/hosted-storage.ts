import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface HostedStorage {
  url: string;
  /** Puts a file there as of that time, or replaces it then. */
  put(bucket: string, name: string, at: Date): void;
  /** `bucket/name` of all there is, in order. */
  names(): string[];
  /** Every call so far: `POST list-v2/job-photos`. */
  readonly calls: string[];
  /** What becomes of calls from now on, by whether the call begins so; `hang` never answers. */
  trouble: { with: string; is: 'refuse' | 'hang' } | undefined;
  /** Called before each call is answered. */
  onCall: (call: string) => void;
  close(): Promise<void>;
}

interface Asked {
  limit?: number;
  cursor?: string;
  prefixes?: string[];
}

const maxAtOnce = 1_000;

/** Supabase's storage as far as the two calls that list and remove all files, for one key alone. */
export async function openHostedStorage(serviceKey: string): Promise<HostedStorage> {
  const files = new Map<string, { created: Date; updated: Date }>();
  const server = createServer((request, response) => {
    const say = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    void answer(request).then(
      (body) => body !== undefined && say(200, body),
      (error: unknown) =>
        say(error instanceof Refused ? error.status : 500, {
          statusCode: '500',
          error: 'Internal',
          message: 'said by the test',
          code: 'InternalError',
        }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const storage: HostedStorage = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put(bucket, name, at) {
      const key = `${bucket}/${name}`;
      files.set(key, { created: files.get(key)?.created ?? at, updated: at });
    },
    names: () => [...files.keys()].toSorted(),
    calls: [],
    trouble: undefined,
    onCall: () => undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return storage;

  async function answer(request: IncomingMessage): Promise<unknown> {
    const { method, url: path = '', headers } = request;
    const call = `${method} ${path.replace('/storage/v1/object/', '')}`;
    storage.calls.push(call);
    storage.onCall(call);
    const { trouble } = storage;
    if (trouble !== undefined && call.startsWith(trouble.with)) {
      if (trouble.is === 'hang') return undefined;
      throw new Refused(500);
    }
    if (headers['apikey'] !== serviceKey || headers.authorization !== `Bearer ${serviceKey}`) throw new Refused(400);
    const asked = (await json(request)) as Asked;
    const bucket = call.split('/').at(-1)!.split(' ').at(-1)!;
    return call.startsWith('POST list-v2/')
      ? list(bucket, asked)
      : call.startsWith('DELETE ')
        ? remove(bucket, asked)
        : Promise.reject(new Refused(404));
  }

  /** All folders at once, by name; the cursor is where the last page ended. */
  function list(bucket: string, { limit = maxAtOnce, cursor }: Asked) {
    const last = cursor === undefined ? '' : Buffer.from(cursor, 'base64').toString();
    const below = storage
      .names()
      .filter((key) => key.startsWith(`${bucket}/`))
      .map((key) => key.slice(bucket.length + 1))
      .filter((name) => name > last);
    const page = below.slice(0, Math.min(limit, maxAtOnce));
    const hasNext = below.length > page.length;
    const objects = page.map((name) => {
      const { created, updated } = files.get(`${bucket}/${name}`)!;
      return {
        name,
        id: name,
        updated_at: updated.toISOString(),
        created_at: created.toISOString(),
        last_accessed_at: updated.toISOString(),
        metadata: {},
      };
    });
    return {
      hasNext,
      ...(hasNext ? { nextCursor: Buffer.from(page.at(-1)!).toString('base64') } : {}),
      folders: [],
      objects,
    };
  }

  function remove(bucket: string, { prefixes = [] }: Asked) {
    if (prefixes.length === 0 || prefixes.length > maxAtOnce) throw new Refused(400);
    return prefixes.filter((name) => files.delete(`${bucket}/${name}`)).map((name) => ({ name, bucket_id: bucket }));
  }
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}
