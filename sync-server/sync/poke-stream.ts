import { changeEvent, pokeEvent } from '../../shared/protocol/poke.ts';

/** What a stream is written to; Node's ServerResponse fits. */
export interface PokeSink {
  /** Bytes that were written and not yet taken over by the network. */
  readonly writableLength: number;
  write(text: string): void;
  destroy(): void;
}

export interface PokeStream {
  poke(): void;
  /**
   * Sends a change, as one line of JSON; false where the reader has not read what came before: it is to be poked
   * instead.
   */
  change(text: string): boolean;
  /** Writes a comment line, every 25 s, so that a dead connection is detected. */
  beat(): void;
}

/** Bytes that may be buffered for a reader. A slower one is disconnected, and is poked at once when it reconnects. */
const maxBuffered = 16 * 1024;

/** One device's stream of events. What is buffered for it is one change at most, and pokes. */
export function createPokeStream(sink: PokeSink): PokeStream {
  const write = (text: string) => (sink.writableLength > maxBuffered ? sink.destroy() : sink.write(text));
  // The first bytes flush the headers: the device knows that it is connected.
  write(': listening\n\n');
  return {
    poke: () => write(`event: ${pokeEvent}\ndata:\n\n`),
    change: (text) => {
      if (sink.writableLength > 0) return false;
      write(`event: ${changeEvent}\ndata: ${text}\n\n`);
      return true;
    },
    beat: () => write(':\n\n'),
  };
}
