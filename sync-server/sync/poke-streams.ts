import type { IncomingMessage, ServerResponse } from 'node:http';
import { minute } from '../../shared/lib/durations.ts';
import { pokeHeartbeatMs } from '../../shared/protocol/poke.ts';
import type { Deps } from '../ports/deps.ts';
import { createPokeStream } from './poke-stream.ts';
import type { Poke } from './poke.ts';
import { startHeart } from './start-heart.ts';
import { watchSessions } from './watch-sessions.ts';

export type PokeStreamDeps = Pick<Deps, 'verifyToken' | 'closing'> & {
  poke: Poke;
  /** Milliseconds between two checks that the sessions of open streams are still there. */
  everyMs?: number;
};

/** Streams one person may hold: more than the devices of any person. */
const maxStreams = 12;
/** Milliseconds. */
const longest = 30 * minute;

/** Who opened a stream, and how it is to be fed. */
export interface StreamOwner {
  userId: string;
  token: string;
  /** The newest version the device has seen, where it says so. */
  since: string | undefined;
  /** The device's id, where it takes changes. */
  device: string | undefined;
}

export interface PokeStreams {
  /** The headers of every stream. */
  readonly headers: Readonly<Record<string, string>>;
  /** Feeds a stream whose status and headers are written, or are to be; until one side ends it. */
  feed(req: IncomingMessage, res: ServerResponse, owner: StreamOwner): Promise<void>;
}

/** The streams of events of one instance. */
export function openPokeStreams({ poke, closing, everyMs, verifyToken }: PokeStreamDeps): PokeStreams {
  const watch = watchSessions({ verifyToken, closing, ...(everyMs === undefined ? {} : { everyMs }) });
  const heart = startHeart(pokeHeartbeatMs);
  const streams = new Map<string, Set<() => void>>();
  closing.addEventListener('abort', () => {
    for (const own of Array.from(streams.values())) for (const end of Array.from(own)) end();
  });

  return {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Proxies that buffer an answer would make a poke useless.
      'X-Accel-Buffering': 'no',
      // A stopping server waits for connections, and an ended stream's would stay open for the next request.
      Connection: 'close',
    },

    async feed(req, res, { userId, token, since, device }) {
      req.socket.setNoDelay(true);
      req.socket.setTimeout(0);
      const own = streams.get(userId) ?? new Set();
      const stream = createPokeStream(res);
      let beats = 0;
      const disconnects = [
        heart(() => {
          beats += 1;
          if (beats * pokeHeartbeatMs < longest) stream.beat();
          else end();
        }),
        watch(token, end),
      ];
      function forget(): void {
        for (const disconnect of disconnects.splice(0)) disconnect();
        own.delete(end);
        if (own.size === 0 && streams.get(userId) === own) streams.delete(userId);
      }
      /** Nothing may be written after the end, so whatever writes is stopped first. */
      function end(): void {
        forget();
        res.end();
      }
      res.once('close', forget);
      streams.set(userId, own.add(end));
      const [oldest] = own;
      if (own.size > maxStreams) oldest?.();

      const isOver = () => res.destroyed || res.writableEnded;
      disconnects.push(
        await poke.connect({
          userId,
          since,
          onPoke: () => (isOver() ? undefined : stream.poke()),
          changes:
            device === undefined
              ? undefined
              : {
                  device,
                  isSessionLive: async () => (await verifyToken(token))?.userId === userId,
                  onChange: (text) => !isOver() && stream.change(text),
                },
        }),
      );
      if (closing.aborted && !isOver()) end();
      if (isOver()) forget();
    },
  };
}
