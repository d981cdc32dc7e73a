import {
  carriedChangeSchema,
  changeEvent,
  pokeEvent,
  pokeHeartbeatMs,
  type CarriedChange,
} from '../../shared/protocol/poke.ts';
import type { Clock } from '../db/clock.ts';
import { backoffMs } from './backoff.ts';

export interface PokePorts {
  /** `https://…/api/sync/poke`, or a path. */
  url: string;
  fetch: typeof globalThis.fetch;
  token(): Promise<string | undefined>;
  clock: Clock;
  random: { next(): number };
  /** The id by which the server knows this device's exchanges; without it changes are announced, and not sent (P10). */
  deviceId?: (() => Promise<string | undefined>) | undefined;
}

type OnChange = (change: CarriedChange) => void;

/** Two heartbeats missed: the connection is dead, whatever TCP reports. */
const silenceMs = pokeHeartbeatMs * 2.4;

/**
 * Server-Sent Events over fetch, so that they carry the bearer. Calls `onChange` for each change that an event carries
 * (P10), and `onPoke` for each other event and after each new connection, because something may have been missed in
 * between. Also calls it at the first 401 of a token: the exchange that follows renews the session, or finds that it
 * was ended elsewhere. Connects again by itself, with the same back-off as the loop, until aborted. Losing it costs
 * time only.
 */
export function streamPokes(ports: PokePorts): (onPoke: () => void, signal: AbortSignal, onChange?: OnChange) => void {
  // A device that takes no changes runs an exchange.
  return (onPoke, signal, onChange = onPoke) => void keepListening(ports, { onPoke, onChange }, signal);
}

async function keepListening(
  ports: PokePorts,
  { onPoke, onChange }: Pick<Hearer, 'onPoke' | 'onChange'>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  let isFirst = true;
  let rejectedToken: string | undefined;
  const onOpen = () => {
    if (!isFirst) onPoke();
    isFirst = false;
    rejectedToken = undefined;
  };
  // Each token causes one exchange: a server that goes on saying 401 must not make one of each attempt.
  const onRejected = (token: string) => {
    if (token !== rejectedToken) onPoke();
    rejectedToken = token;
  };
  while (!signal.aborted) {
    const wasHeard = await listenOnce(ports, { onOpen, onRejected, onPoke, onChange }, signal);
    failures = wasHeard ? 1 : failures + 1;
    if (!signal.aborted) await wait(ports.clock, backoffMs(failures, ports.random.next()), signal);
  }
}

interface Hearer {
  onOpen(): void;
  /** 401 to this token. */
  onRejected(token: string): void;
  onPoke(): void;
  onChange: OnChange;
}

/** One connection, until it ends or goes silent. True where it was ever open. */
async function listenOnce(
  ports: PokePorts,
  { onOpen, onRejected, onPoke, onChange }: Hearer,
  signal: AbortSignal,
): Promise<boolean> {
  const connection = new AbortController();
  const close = () => connection.abort();
  signal.addEventListener('abort', close);
  let cancelSilence = ports.clock.setTimer(silenceMs, close);
  let hasStood = false;
  try {
    const token = await ports.token();
    if (token === undefined) return false;
    const device = await ports.deviceId?.();
    const response = await ports.fetch(device === undefined ? ports.url : `${ports.url}?changes=1`, {
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'text/event-stream',
        ...(device === undefined ? {} : { 'X-Device-Id': device }),
      },
      signal: connection.signal,
      cache: 'no-store',
      credentials: 'omit',
    });
    if (response.status === 401) onRejected(token);
    const isOurs = response.ok && (response.headers.get('Content-Type') ?? '').startsWith('text/event-stream');
    if (!isOurs || response.body === null) return false;
    hasStood = true;
    onOpen();
    const reader = response.body.getReader();
    const heard = pokeReader(onPoke, onChange);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return hasStood;
      cancelSilence();
      cancelSilence = ports.clock.setTimer(silenceMs, close);
      heard(value);
    }
  } catch {
    // The stream is gone, or never was: the back-off and the 60 s question see to it.
    return hasStood;
  } finally {
    cancelSilence();
    signal.removeEventListener('abort', close);
    connection.abort();
  }
}

/**
 * Takes the stream's bytes as they come, in whatever pieces, and calls `onPoke` and `onChange` for each whole event of
 * their names. A change that cannot be read is a poke.
 */
export function pokeReader(onPoke: () => void, onChange: OnChange = onPoke): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  let event = '';
  let data = '';
  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('event:')) event = line.slice('event:'.length).trim();
      if (line.startsWith('data:')) data = line.slice('data:'.length);
      if (line !== '') continue;
      const change = event === changeEvent ? readChange(data) : undefined;
      if (change !== undefined) onChange(change);
      else if (event === pokeEvent || event === changeEvent) onPoke();
      [event, data] = ['', ''];
    }
  };
}

function readChange(data: string): CarriedChange | undefined {
  try {
    return carriedChangeSchema.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}

function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.setTimer(ms, end);
    signal.addEventListener('abort', end);
  });
}
