import { exchangeRequestSchema, type ExchangeRequest } from '../../shared/protocol/exchange.ts';
import type { DeviceServer } from '../../sync-server/testing/device-server.ts';

/**
 * `online`: every request is delivered at once. `offline`: none leaves. `dead`: the line is up, and the server is not
 * there. `held`: each waits until the test decides its fate.
 */
export type NetworkMode = 'online' | 'offline' | 'dead' | 'held';

/** A request under way, and what may become of it. Each call settles what the device sees, except `overtaken`. */
export interface InFlight {
  readonly device: string;
  readonly request: ExchangeRequest;
  deliver(): Promise<void>;
  /** Never reaches the server. */
  dropRequest(): void;
  /** Is committed; its answer is lost. */
  dropAnswer(): Promise<void>;
  /** Is delivered twice. */
  duplicate(): Promise<void>;
  /** The device gives up; the request is delivered when the returned function is called, perhaps after a newer one. */
  overtaken(): () => Promise<void>;
  /** Half of the answer comes. */
  truncate(): Promise<void>;
  /** A captive portal answers in the server's place. */
  captivePortal(): void;
  respond(status: number, headers?: Record<string, string>): void;
}

export interface FakeNetwork {
  /** What this device calls instead of `fetch`. */
  fetchFor(device: string): typeof globalThis.fetch;
  mode(device: string): NetworkMode;
  setMode(device: string, mode: NetworkMode): void;
  inFlight(device?: string): readonly InFlight[];
  /** Tokens issued before are invalid: 401 until the session is renewed. */
  expireTokens(userId: string): void;
  freshToken(userId: string): string;
  /** Called whenever a request begins or stops to wait for the test. */
  subscribe(hear: () => void): () => void;
}

const problem = (code: string) => JSON.stringify({ error: 'No.', code });
const portalPage = '<!doctype html><title>Welcome to the café’s WiFi</title>';

/**
 * HTTP between devices and the server, delivered by the test: text goes over the wire, so that half of it can get lost.
 */
export function fakeNetwork(server: DeviceServer): FakeNetwork {
  const modes = new Map<string, NetworkMode>();
  const generations = new Map<string, number>();
  const waiting = new Set<InFlight>();
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((hear) => hear());
  const generationOf = (userId: string) => generations.get(userId) ?? 0;

  /** The server's HTTP side. */
  async function handle(path: string, token: string, request: ExchangeRequest | undefined): Promise<Response> {
    const segment = /\/shelves\/\w+\/([0-9a-f]{64})$/.exec(path)?.[1];
    if (segment !== undefined) {
      const text = server.collections.segment(segment);
      return text === undefined ? new Response(problem('not-found'), { status: 404 }) : new Response(text);
    }
    const [userId = '', generation] = token.split(' ');
    if (Number(generation) !== generationOf(userId)) return new Response(problem('unauthorized'), { status: 401 });
    if (!server.rows.users.has(userId)) return new Response(problem('profile-missing'), { status: 403 });
    if (request?.userId !== undefined && request.userId !== userId)
      return new Response(problem('other-person'), { status: 401 });
    if (request?.userId === undefined && request?.cookie === null)
      return new Response(problem('update-needed'), { status: 426 });
    if (request === undefined) return new Response(problem('not-found'), { status: 404 });
    return new Response(JSON.stringify(await server.exchange(userId, request)));
  }

  function hold(
    device: string,
    path: string,
    token: string,
    request: ExchangeRequest,
    signal: AbortSignal | null | undefined,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const lose = () => reject(new TypeError('Failed to fetch'));
      const leave = () => {
        waiting.delete(flight);
        tell();
      };
      const arrive = () => handle(path, token, request);
      const flight: InFlight = {
        device,
        request,
        deliver: async () => (leave(), resolve(await arrive())),
        dropRequest: () => (leave(), lose()),
        dropAnswer: async () => (leave(), await arrive(), lose()),
        duplicate: async () => (leave(), await arrive(), resolve(await arrive())),
        overtaken: () => (leave(), lose(), async () => void (await arrive())),
        truncate: async () => {
          leave();
          const text = await (await arrive()).text();
          resolve(new Response(text.slice(0, text.length / 2)));
        },
        captivePortal: () => (leave(), resolve(new Response(portalPage))),
        respond: (status, headers = {}) => (
          leave(),
          resolve(new Response(problem(`status-${status}`), { status, headers }))
        ),
      };
      signal?.addEventListener('abort', () => {
        leave();
        reject(new DOMException('Aborted', 'AbortError'));
      });
      waiting.add(flight);
      tell();
    });
  }

  return {
    fetchFor: (device) => async (input, init) => {
      const path = String(input);
      const token = (new Headers(init?.headers).get('Authorization') ?? '').replace('Bearer ', '');
      const mode = modes.get(device) ?? 'online';
      if (mode === 'offline' || mode === 'dead' || init?.signal?.aborted) throw new TypeError('Failed to fetch');
      const request = path.endsWith('/api/sync') ? exchangeRequestSchema.parse(await bodyOf(init)) : undefined;
      if (mode === 'online' || request === undefined) return handle(path, token, request);
      return hold(device, path, token, request, init?.signal);
    },
    mode: (device) => modes.get(device) ?? 'online',
    setMode: (device, mode) => {
      modes.set(device, mode);
      if (mode === 'offline') for (const flight of waiting) if (flight.device === device) flight.dropRequest();
    },
    inFlight: (device) => [...waiting].filter((flight) => device === undefined || flight.device === device),
    expireTokens: (userId) => void generations.set(userId, generationOf(userId) + 1),
    freshToken: (userId) => `${userId} ${generationOf(userId)}`,
    subscribe: (hear) => {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
  };
}

async function bodyOf(init: RequestInit | undefined): Promise<unknown> {
  const body = init?.body;
  if (typeof body === 'string') return JSON.parse(body) as unknown;
  const unpacked = new Blob([body as ArrayBuffer]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(unpacked).text()) as unknown;
}
