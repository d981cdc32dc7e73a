import { request, type Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance } from './instance.ts';

export interface Asked {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** Status 0: the connection ended without an answer. */
export interface Answered {
  status: number;
  text: string;
}

/**
 * Sends a request as a trusted proxy would for a client at the address `from`: a test machine need not have several
 * addresses.
 */
export type AskFrom = (from: string, asked: Asked) => Promise<Answered>;

/** `idleTimeoutMs`: milliseconds without a byte after which a request is given up; 0: never. */
export function createAskFrom({ origin }: Instance, agent: Agent, idleTimeoutMs = 0): AskFrom {
  return (from, { path, method = 'GET', headers, body }) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const options = {
      method,
      agent,
      timeout: idleTimeoutMs,
      headers: { 'X-Forwarded-For': from, ...length, ...headers },
    };
    return new Promise((resolve) => {
      const broken = (error: Error) => resolve({ status: 0, text: String(error) });
      const sent = request(origin + path, options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
        answer.on('error', broken);
      });
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.on('error', broken).end(body);
    });
  };
}

interface AttackParts {
  server: Instance;
  askFrom: AskFrom;
  isOver(): boolean;
  note(status: number): void;
}

/** Goes on until it is over, and notes the status of every answer until then. */
export type Attack = (parts: AttackParts) => Promise<unknown>;

async function askAndNote({ askFrom, isOver, note }: AttackParts, from: string, asked: Asked): Promise<void> {
  const { status } = await askFrom(from, asked);
  if (!isOver()) note(status);
}

/** The address of the attacker with this number. */
const attackerAt = (nth: number, howMany: number) => `198.51.100.${1 + (nth % howMany)}`;

/**
 * So many at once from so many addresses, each followed by another one when it has been answered, whatever the answer.
 */
export const flood =
  (atOnce: number, addresses: number, asked: (nth: number) => Asked): Attack =>
  async (parts) => {
    let sent = 0;
    await Promise.all(
      Array.from({ length: atOnce }, async (_, nth) => {
        while (!parts.isOver()) {
          await askAndNote(parts, attackerAt(nth, addresses), asked((sent += 1) - 1));
          await sleep(100);
        }
      }),
    );
  };

/** So many at the same instant, all from one address, again and again. */
export const inWaves =
  (atOnce: number, asked: () => Asked): Attack =>
  async (parts) => {
    while (!parts.isOver()) {
      await Promise.all(Array.from({ length: atOnce }, () => askAndNote(parts, attackerAt(0, 1), asked())));
      await sleep(500);
    }
  };

/**
 * Requests that send one byte of their body, and no more; each begun again when the server has hung up on it. Still
 * open counts as 0.
 * `headers`: their headers besides the length, read when the attack begins.
 */
export const halfSent =
  (howMany: number, addresses: number, path: string, headers: () => Record<string, string>): Attack =>
  ({ server, isOver, note }) =>
    Promise.all(
      Array.from({ length: howMany }, async (_, nth) => {
        const said = {
          Host: `127.0.0.1:${server.port}`,
          'X-Forwarded-For': attackerAt(nth, addresses),
          'Content-Length': '1000',
          ...headers(),
        };
        const lines = Object.entries(said).map(([name, value]) => `${name}: ${value}`);
        while (!isOver()) {
          let isAnswered = false;
          const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
          const gone = new Promise((resolve) => socket.once('close', resolve));
          socket.on('data', (chunk: Buffer) => {
            if (!isAnswered) note(Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString())?.[1]));
            isAnswered = true;
          });
          socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{`);
          while (!isOver() && !socket.destroyed) await Promise.race([gone, sleep(200)]);
          socket.destroy();
          if (!isAnswered) note(0);
          await sleep(100);
        }
      }),
    );
