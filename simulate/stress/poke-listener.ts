import { get, type Agent, type ClientRequest } from 'node:http';

export interface PokeListener {
  /** Pokes heard so far. */
  heard(): number;
  isListening(): boolean;
  close(): void;
}

/**
 * Listens for pokes as a device does: connects again whenever the stream ends, after `pause` milliseconds, until
 * closed.
 */
export function listenForPokes(
  origin: string,
  token: string,
  agent: Agent | false,
  onPoke: () => void,
  pause = 100,
): PokeListener {
  let heard = 0;
  let isListening = false;
  let isClosed = false;
  let current: ClientRequest | undefined;
  let timer: NodeJS.Timeout | undefined;

  function again(): void {
    isListening = false;
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(connect, pause);
  }

  function connect(): void {
    current = get(`${origin}/api/sync/poke`, { agent, headers: { Authorization: `Bearer ${token}` } }, (answer) => {
      isListening = answer.statusCode === 200;
      answer.setEncoding('utf8');
      answer.on('data', (text: string) => {
        const pokes = text.split('event: poke').length - 1;
        heard += pokes;
        if (pokes > 0) onPoke();
      });
      answer.on('error', () => undefined);
      answer.on('close', again);
    });
    current.on('error', again);
  }

  connect();
  return {
    heard: () => heard,
    isListening: () => isListening,
    close() {
      isClosed = true;
      clearTimeout(timer);
      current?.destroy();
    },
  };
}
