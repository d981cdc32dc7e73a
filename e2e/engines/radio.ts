import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Everything that one phone sends and gets goes through here: the proxy of its browser, which the test can cut off. */
export interface Radio {
  readonly port: number;
  setSignal(isOn: boolean): void;
  close(): Promise<void>;
}

export async function openRadio(): Promise<Radio> {
  let isOn = true;

  const carry = (from: IncomingMessage, to: ServerResponse) => {
    if (!isOn) return void from.socket.destroy();
    const onward = request(new URL(from.url ?? ''), { method: from.method, headers: from.headers }, (answer) => {
      if (to.destroyed) return void answer.resume();
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
      answer.on('error', () => to.destroy());
    });
    onward.on('error', () => from.socket.destroy());
    to.on('close', () => onward.destroy());
    from.pipe(onward);
  };

  const proxy = createServer(carry);
  // What the browser wants from its maker's servers, by a tunnel, it does not get.
  proxy.on('connect', (_from, socket) => socket.destroy());
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    setSignal: (now) => {
      isOn = now;
      if (!isOn) proxy.closeAllConnections();
    },
    close: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      proxy.closeAllConnections();
      await closed;
    },
  };
}
