import type { Instance } from '../../simulate/stress/instance.ts';

/** How a server must be started for `openInspector`: on any free port, opened on request. */
export const inspectable = ['--inspect-port=0'];

const address = /Debugger listening on (ws:\/\/\S+)/;
const polling = { looks: 100, pause: 100 };

export interface Inspector {
  /**
   * Megabytes of JavaScript heap that the process holds after a garbage collection. Its resident memory does not show
   * that: V8 collects when it thinks it must, and on a machine with free memory it hardly ever must.
   */
  heldMb(): Promise<number>;
  close(): void;
}

export async function openInspector(server: Instance): Promise<Inspector> {
  process.kill(server.pid(), 'SIGUSR1');
  const socket = new WebSocket(await opened(server));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the server’s inspector does not answer')));
  });
  return {
    async heldMb() {
      await ask(socket, 'HeapProfiler.collectGarbage');
      return ((await ask(socket, 'Runtime.getHeapUsage')) as { usedSize: number }).usedSize / 1e6;
    },
    close: () => socket.close(),
  };
}

async function opened(server: Instance): Promise<string> {
  for (let look = 0; look < polling.looks; look += 1) {
    const found = address.exec(server.said())?.[1];
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, polling.pause));
  }
  throw new Error(`the server opened no inspector: ${server.said().slice(-500)}`);
}

/** One request at a time. */
function ask(socket: WebSocket, method: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.addEventListener(
      'message',
      ({ data }) => {
        const { result, error } = JSON.parse(String(data)) as { result?: unknown; error?: { message: string } };
        if (error === undefined) resolve(result);
        else reject(new Error(error.message));
      },
      { once: true },
    );
    socket.send(JSON.stringify({ id: 1, method }));
  });
}
