import { createServer, connect, type Socket } from 'node:net';
import { freePort } from '../../sync-server/testing/free-port.ts';

export interface Link {
  /** Each direction by itself. */
  readonly bytesPerSecond: number;
  /** Round trip. A new connection costs one such trip before its first byte, as TCP does. */
  readonly roundTripMs: number;
}

/** 400 kbit/s and 400 ms: one bar. */
export const oneBar: Link = { bytesPerSecond: 50_000, roundTripMs: 400 };
export const freeLink: Link = { bytesPerSecond: Number.POSITIVE_INFINITY, roundTripMs: 0 };

export interface SlowLink {
  /** The address the browser uses. */
  readonly url: string;
  leadTo(serverUrl: string): void;
  become(link: Link): void;
  /** Closes all connections, and each new one until it is restored. */
  cut(): void;
  mend(): void;
  /** Bytes sent to the browser since the last call, headers included. */
  bytesDownSinceLast(): number;
}

const tickMs = 5;
/** A connection's bytes that are not paced yet: beyond this its sender waits, as with TCP's window. */
const windowBytes = 64 * 1024;
const pieceBytes = 1_448;

interface Flow {
  from: Socket;
  to: Socket;
  pieces: Buffer[];
  waiting: number;
  opensAt: number;
}

/**
 * A link of a certain bandwidth and latency in front of a server. Made here, below HTTP, because a browser's own
 * emulation does not reach what a service worker fetches, and slows each connection instead of the link that they
 * share.
 */
export async function openSlowLink(): Promise<SlowLink & { close(): Promise<void> }> {
  const port = await freePort();
  let target: URL | undefined;
  const sockets = new Set<Socket>();
  const [down, up] = [new Set<Flow>(), new Set<Flow>()];
  let link = freeLink;
  let isCut = false;
  let bytesDown = 0;

  function carry(flow: Flow, piece: Buffer, isDown: boolean): void {
    flow.waiting -= piece.length;
    if (flow.waiting < windowBytes && flow.from.isPaused()) flow.from.resume();
    if (isDown) bytesDown += piece.length;
    if (link.roundTripMs === 0) return void flow.to.write(piece);
    setTimeout(() => !flow.to.destroyed && flow.to.write(piece), link.roundTripMs / 2);
  }

  /** So many bytes are due by now, shared piece by piece between the connections that have some. */
  const pacer = (flows: Set<Flow>, isDown: boolean) => {
    let credit = 0;
    let last = performance.now();
    return () => {
      const now = performance.now();
      credit += Math.min((now - last) / 1_000, 0.1) * link.bytesPerSecond;
      last = now;
      for (let isMoving = true; isMoving && credit > 0;) {
        isMoving = false;
        for (const flow of flows) {
          const piece = now < flow.opensAt ? undefined : flow.pieces.shift();
          if (piece === undefined) continue;
          carry(flow, piece, isDown);
          credit -= piece.length;
          isMoving = true;
          if (credit <= 0) break;
        }
      }
      // Unused bandwidth is lost.
      credit = Math.min(credit, 0);
    };
  };
  const paces = [pacer(down, true), pacer(up, false)];
  const timer = setInterval(() => paces.forEach((pace) => pace()), tickMs);

  function join(from: Socket, to: Socket, flows: Set<Flow>, isDown: boolean): void {
    const flow: Flow = {
      from,
      to,
      pieces: [],
      waiting: 0,
      opensAt: performance.now() + (isDown ? 0 : link.roundTripMs),
    };
    flows.add(flow);
    from.on('data', (bytes: Buffer) => {
      flow.waiting += bytes.length;
      if (link.bytesPerSecond === Number.POSITIVE_INFINITY) return carry(flow, bytes, isDown);
      for (let at = 0; at < bytes.length; at += pieceBytes) flow.pieces.push(bytes.subarray(at, at + pieceBytes));
      if (flow.waiting > windowBytes) from.pause();
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      flows.delete(flow);
      sockets.delete(from);
      // What is under way still arrives.
      setTimeout(() => to.destroy(), link.roundTripMs + 50);
    });
  }

  const listener = createServer((browser) => {
    if (isCut || target === undefined) return void browser.destroy();
    const onward = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    browser.setNoDelay(true);
    for (const socket of [browser, onward]) sockets.add(socket);
    join(browser, onward, up, false);
    join(onward, browser, down, true);
  });
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${port}`,
    leadTo: (serverUrl) => {
      target = new URL(serverUrl);
    },
    become: (next) => {
      link = next;
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
      down.clear();
      up.clear();
    },
    mend: () => {
      isCut = false;
    },
    bytesDownSinceLast: () => {
      const taken = bytesDown;
      bytesDown = 0;
      return taken;
    },
    close: async () => {
      clearInterval(timer);
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
