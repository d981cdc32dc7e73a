import { exchangeAnswerSchema, type ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { otherPerson, problemSchema } from '../../shared/protocol/problem.ts';
import type { Transport, TransportFailure, TransportResult } from './ports.ts';
import type { Trace } from './trace.ts';

export interface HttpTransportPorts {
  /** `https://…/api/sync`, or a path. */
  url: string;
  fetch: typeof globalThis.fetch;
  /** The access token as it is now; undefined where no person is signed in. */
  token(): Promise<string | undefined>;
  /** Undefined: the exchange has no trace ids. */
  trace?: Trace | undefined;
}

/** A smaller body gains nothing from compression. */
const compressFrom = 2_048;
/** The wait where a server asks for one without saying how long. */
const defaultRetryAfterMs = 5_000;

/** `POST /api/sync`. An answer that does not parse as our server's is a network error: nothing is written. */
export function createHttpTransport({ url, fetch, token, trace }: HttpTransportPorts): Transport {
  return async (request, signal) => {
    const requestId = trace?.requestId();
    try {
      const bearer = await token();
      if (bearer === undefined) return failed({ kind: 'unauthorized' });
      const { body, headers } = await encode(request);
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          ...(await namesOf(trace, requestId)),
          Authorization: `Bearer ${bearer}`,
          'Content-Type': 'application/json',
          Accept: 'application/json',
        },
        body,
        signal,
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
      });
      return { ...(await decode(response)), requestId };
    } catch (error) {
      return {
        ...failed({
          kind: 'network',
          heard: false,
          why: error instanceof Error || error instanceof DOMException ? error.name : 'unknown',
        }),
        requestId,
      };
    }
  };
}

async function namesOf(trace: Trace | undefined, requestId: string | undefined): Promise<Record<string, string>> {
  const device = await trace?.deviceId();
  return {
    ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
    ...(device === undefined ? {} : { 'X-Device-Id': device }),
  };
}

async function encode(
  request: ExchangeRequest,
): Promise<{ body: string | ArrayBuffer; headers: Record<string, string> }> {
  const text = JSON.stringify(request);
  if (text.length < compressFrom || typeof CompressionStream === 'undefined') return { body: text, headers: {} };
  const squeezed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return { body: await new Response(squeezed).arrayBuffer(), headers: { 'Content-Encoding': 'gzip' } };
}

async function decode(response: Response): Promise<TransportResult> {
  const body = await readJson(response);
  if (response.status === 200) {
    const answer = exchangeAnswerSchema.safeParse(body);
    return answer.success ? { ok: true, answer: answer.data } : failed(notOurs(200));
  }
  return failed(failureOf(response, body));
}

/** Undefined for what is not JSON: a portal's page, half a body. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const failed = (failure: TransportFailure): TransportResult => ({ ok: false, failure });
const notOurs = (status: number): TransportFailure => ({ kind: 'network', heard: true, why: `not ours, ${status}` });

/** A portal or proxy can say 401 and 426 as well: what would stop the loop counts only in our server's error format. */
function failureOf(response: Response, body: unknown): TransportFailure {
  const problem = problemSchema.safeParse(body);
  const { status } = response;
  if (status === 429 || status === 503) return { kind: 'busy', retryAfterMs: retryAfterMs(response) };
  if (status === 413) return { kind: 'too-large' };
  if (!problem.success) return status >= 500 ? { kind: 'server', status, why: 'no body of ours' } : notOurs(status);
  const { code } = problem.data;
  if (status === 401) return { kind: code === otherPerson ? 'other-person' : 'unauthorized' };
  if (status === 403 && code === 'profile-missing') return { kind: 'profile-missing' };
  if (status === 426) return { kind: 'too-old' };
  return { kind: 'server', status, why: code };
}

/** Seconds, as our own server says it; a date would be by another clock. */
function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : defaultRetryAfterMs;
}
