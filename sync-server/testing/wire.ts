import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Wire {
  /** The same address, by way of the wire. */
  url: string;
  /** Every connection ends, and new ones are refused. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** A wire to a TCP server, such as the database, that can be cut and mended. */
export async function openWire(target: string): Promise<Wire> {
  const to = new URL(target);
  const ends = new Set<Socket>();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) return near.destroy();
    const far = connect(Number(to.port), to.hostname);
    for (const [end, other] of [[near, far], [far, near]] as const) {
      ends.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        ends.delete(end);
        other.destroy();
      });
      end.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(to);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut: () => {
      whole = false;
      for (const end of ends) end.destroy();
    },
    mend: () => {
      whole = true;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
