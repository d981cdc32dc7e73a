import { request, type Agent } from 'node:http';
import { decodeJwt } from 'jose';
import { exchangeAnswerSchema, type ExchangeAnswer, type ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';

/** One exchange. Whatever is not an answer of ours (P7) is thrown as `NotAnswered`. */
export type Ask = (wanted: Partial<ExchangeRequest>) => Promise<ExchangeAnswer>;

export class NotAnswered extends Error {
  override name = 'NotAnswered';
  /** 0: no answer at all. */
  readonly status: number;
  constructor(status: number, why: string) {
    super(`${status} ${why}`);
    this.status = status;
  }
}

/** Milliseconds after which a device gives a request up. */
const timeoutMs = 20_000;

/** Exchanges over HTTP, as a device does them. */
export function askOver(origin: string, token: string, agent: Agent): Ask {
  const { sub: userId } = decodeJwt(token);
  return async (wanted) => {
    const asked: ExchangeRequest = {
      protocol: protocolVersion,
      schema: schemaVersion,
      userId,
      cookie: null,
      shelves: {},
      mutations: [],
      awaiting: [],
      ...wanted,
    };
    const { status, text } = await send(`${origin}/api/sync`, token, agent, JSON.stringify(asked));
    if (status !== 200) throw new NotAnswered(status, text.slice(0, 300));
    const answer = exchangeAnswerSchema.safeParse(parsed(text));
    if (!answer.success) throw new NotAnswered(status, `not an answer: ${text.slice(0, 300)}`);
    return answer.data;
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is no JSON counts as no answer, which the schema then says.
    return undefined;
  }
}

function send(url: string, token: string, agent: Agent, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const sent = request(url, { method: 'POST', agent, headers, timeout: timeoutMs }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', (error) => reject(new NotAnswered(0, String(error))));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', (error) => reject(new NotAnswered(0, String(error))));
    sent.end(body);
  });
}
