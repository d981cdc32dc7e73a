import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** Everything that one phone sends and gets goes through here: the proxy of its browser, which the test can cut off. */
export interface NetworkProxy {
  readonly port: number;
  setSignal(isOn: boolean): void;
  /** The next answer tells the browser to delete all that its site has stored. */
  clearWithNext(): void;
  close(): Promise<void>;
}

/** `pushService`: host and port of the one address that the browser may have a tunnel to. */
export async function openNetworkProxy(pushService?: string): Promise<NetworkProxy> {
  let isOn = true;
  let clears: { 'clear-site-data'?: string } = {};
  const tunnels = new Set<Duplex>();

  const carry = (from: IncomingMessage, to: ServerResponse) => {
    if (!isOn) return void from.socket.destroy();
    const onward = request(new URL(from.url ?? ''), { method: from.method, headers: from.headers }, (answer) => {
      if (to.destroyed) return void answer.resume();
      to.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...clears });
      clears = {};
      answer.pipe(to);
      answer.on('error', () => to.destroy());
    });
    onward.on('error', () => from.socket.destroy());
    to.on('close', () => onward.destroy());
    from.pipe(onward);
  };

  const proxy = createServer(carry);
  // What the browser wants from its maker's servers, by a tunnel, it does not get.
  proxy.on('connect', ({ url = '' }, socket, head) => {
    if (!isOn || url !== pushService) return void socket.destroy();
    const { hostname, port } = new URL(`http://${url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const [end, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      tunnels.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        tunnels.delete(end);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const cutOff = () => {
    proxy.closeAllConnections();
    for (const tunnel of tunnels) tunnel.destroy();
  };
  return {
    port: (proxy.address() as AddressInfo).port,
    clearWithNext: () => {
      clears = { 'clear-site-data': '"storage"' };
    },
    setSignal: (now) => {
      isOn = now;
      if (!isOn) cutOff();
    },
    close: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      cutOff();
      await closed;
    },
  };
}
