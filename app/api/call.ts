import {
  calls,
  type AnswerOf,
  type CallName,
  type ParamsOf,
  type QueryOf,
  type SentBodyOf,
} from '../../shared/api/index.ts';
import * as z from 'zod/mini';
import { problemSchema } from '../../shared/protocol/problem.ts';

interface CallInput<Name extends CallName> {
  params?: ParamsOf<Name>;
  query?: QueryOf<Name>;
  body?: SentBodyOf<Name>;
  signal?: AbortSignal;
  /** A repeat under the same key answers as the first did. */
  idempotencyKey?: string;
}

/** A body that says what is wrong is read without a code too: what stands before the server may have written it. */
const readable = z.object({ ...problemSchema.shape, code: z.optional(z.string()) });
type ReadableProblem = z.output<typeof readable>;

/** An error answer: `message` is "status: text", `problem` the error body where it was our server's. */
export class CallRejected extends Error {
  readonly status: number;
  readonly problem: ReadableProblem | undefined;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.name = 'CallRejected';
    this.status = status;
    this.problem = readProblem(text);
  }

  /** What a person is shown: the server's own words, several joined with ', ', else the fallback. */
  wordsOr(fallback: string): string {
    const error = this.problem?.error;
    if (error === undefined) return fallback;
    return Array.isArray(error) ? error.join(', ') : error;
  }
}

/** No answer, or one that is not of our server (a captive portal, a body cut short). */
export class CallUnanswered extends Error {
  constructor(cause: unknown) {
    super('The server could not be reached.', { cause });
    this.name = 'CallUnanswered';
  }
}

function readProblem(text: string): ReadableProblem | undefined {
  try {
    const parsed = readable.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // A body that is not JSON is a proxy's page: the status is all there is to say.
    return undefined;
  }
}

export interface Caller {
  /** Makes a documented call. Throws `CallRejected` or `CallUnanswered`. */
  call<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<AnswerOf<Name>>;
}

interface CallerPorts {
  fetch: typeof fetch;
  /** The session's token; the public key when signed out; null where neither is known yet. */
  accessToken(): Promise<string | null>;
  /** Origin of the server; '' for the page's own. */
  origin?: string;
}

export function createCaller({ fetch, accessToken, origin = '' }: CallerPorts): Caller {
  return {
    call: async (name, input = {}) => {
      const { method, path, answer } = calls[name];
      const token = await accessToken();
      const headers: Record<string, string> = { accept: 'application/json' };
      if (token !== null) headers['authorization'] = `Bearer ${token}`;
      if (input.body !== undefined) headers['content-type'] = 'application/json';
      if (input.idempotencyKey !== undefined) headers['idempotency-key'] = input.idempotencyKey;
      const response = await fetch(`${origin}${fillPath(path, input.params as Texts)}${queryText(input.query)}`, {
        method,
        headers,
        credentials: 'include',
        body: input.body === undefined ? null : JSON.stringify(input.body),
        signal: input.signal ?? null,
      }).catch((cause: unknown) => {
        throw new CallUnanswered(cause);
      });
      const text = await response.text().catch((cause: unknown) => {
        throw new CallUnanswered(cause);
      });
      if (!response.ok) throw new CallRejected(response.status, text);
      return parseAnswer(answer, text) as AnswerOf<typeof name>;
    },
  };
}

function parseAnswer(answer: (typeof calls)[CallName]['answer'], text: string): unknown {
  try {
    return answer.parse(JSON.parse(text));
  } catch (cause) {
    throw new CallUnanswered(cause);
  }
}

/** Path and query parameters are texts, whichever call they belong to. */
type Texts = Record<string, string | undefined> | undefined;

function fillPath(path: string, params: Texts): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params?.[name] ?? ''));
}

function queryText(query: Texts): string {
  const pairs = Object.entries(query ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
