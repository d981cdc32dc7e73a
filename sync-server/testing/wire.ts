import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Wire {
  /** The same address, by way of the wire. */
  url: string;
  /** Every connection ends, and new ones are refused. */
  cut(): void;
  /**
   * Swallows every byte of connections whose first bytes name `who` (all of them where it is left out), old and new,
   * and keeps their sockets open: as a firewall does that lost their state.
   */
  silence(who?: string): void;
  /**
   * Keeps PostgreSQL's notices back and lets everything else through: as a pooler does that hands out connections by
   * the transaction.
   */
  holdNotices(): void;
  /** New connections are whole again. One that lost bytes stays silent. */
  mend(): void;
  /** How often the near side has said something after an answer, or for the first time: its round trips. */
  turns(): number;
  /** New connections go to another server; those that there are stay. As an address does that is moved. */
  lead(target: string): void;
  close(): Promise<void>;
}

interface Link {
  near: Socket;
  far: Socket;
  greeting: string;
  isSilent: boolean;
  isAnswered: boolean;
}

const notice = 'A'.charCodeAt(0);

/** A wire to a TCP server, such as the database, that can be cut, silenced and restored. */
export async function openWire(target: string): Promise<Wire> {
  let to = new URL(target);
  const links = new Set<Link>();
  let isCut = false;
  let isHeldBack = false;
  let turns = 0;
  let silenced: { who: string } | undefined;

  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(to.port), to.hostname);
    const link: Link = { near, far, greeting: '', isSilent: false, isAnswered: true };
    links.add(link);
    const hush = () => {
      if (silenced !== undefined && link.greeting.includes(silenced.who)) link.isSilent = true;
    };
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      end.on('error', () => other.destroy());
      end.on('close', () => {
        links.delete(link);
        // A silenced side is not told either that the other side is gone.
        if (!link.isSilent || end === near) other.destroy();
      });
    }
    near.on('data', (bytes) => {
      if (link.greeting === '') link.greeting = bytes.toString('latin1');
      hush();
      if (link.isAnswered) turns += 1;
      link.isAnswered = false;
      if (!link.isSilent) far.write(bytes);
    });
    let rest = Buffer.alloc(0);
    far.on('data', (bytes) => {
      link.isAnswered = true;
      if (link.isSilent) return;
      if (!isHeldBack) return void near.write(bytes);
      rest = Buffer.concat([rest, bytes]);
      for (let length = frameLength(rest); length !== undefined; length = frameLength(rest)) {
        if (rest[0] !== notice) near.write(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(to);
  url.port = String((server.address() as AddressInfo).port);
  const endAll = () => {
    for (const { near, far } of links) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    url: url.href,
    cut: () => {
      isCut = true;
      endAll();
    },
    silence: (who = '') => {
      silenced = { who };
      for (const link of links) if (link.greeting.includes(who)) link.isSilent = true;
    },
    holdNotices: () => {
      isHeldBack = true;
    },
    mend: () => {
      isCut = false;
      isHeldBack = false;
      silenced = undefined;
    },
    turns: () => turns,
    lead: (other) => {
      to = new URL(other);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const link of links) if (link.isSilent) link.near.destroy();
      }),
  };
}

/** Bytes of the first message of PostgreSQL's protocol; undefined where it is not all there. */
function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < 5) return undefined;
  const length = 1 + bytes.readUInt32BE(1);
  return bytes.length < length ? undefined : length;
}
