import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface TestSmtpServer {
  /** `smtp://…` */
  url: string;
  /** What was accepted: its recipients, and the message as it came. */
  taken: { to: string[]; message: string }[];
  /** Every mail is rejected, as by an SMTP server that is out of order. */
  refuse(isRejecting: boolean): void;
  close(): Promise<void>;
}

/** A test SMTP server (RFC 5321): as much of it as a client needs to send a mail. */
export async function openTestSmtpServer(): Promise<TestSmtpServer> {
  const taken: TestSmtpServer['taken'] = [];
  const sockets = new Set<Socket>();
  let isRejecting = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    let rest = '';
    let to: string[] = [];
    let isData = false;
    const say = (line: string) => void socket.write(`${line}\r\n`);
    say('220 post.example.nz ESMTP');
    socket.on('data', (chunk) => {
      rest += chunk.toString('utf8');
      for (;;) {
        const end = isData ? rest.indexOf('\r\n.\r\n') : rest.indexOf('\r\n');
        if (end < 0) return;
        const part = rest.slice(0, end);
        rest = rest.slice(end + (isData ? 5 : 2));
        if (isData) {
          isData = false;
          taken.push({ to, message: part });
          to = [];
          say('250 taken');
        } else if (/^EHLO/i.test(part)) say('250-post.example.nz\r\n250 SMTPUTF8');
        else if (/^RCPT/i.test(part) && isRejecting) say('451 not now, ask postmaster@example.nz');
        else if (/^DATA/i.test(part)) {
          isData = true;
          say('354 go on');
        } else if (/^QUIT/i.test(part)) socket.end('221 bye\r\n');
        else {
          const address = /^RCPT TO:<([^>]*)>/i.exec(part)?.[1];
          if (address !== undefined) to.push(address);
          if (/^(MAIL|RSET)/i.test(part)) to = [];
          say('250 ok');
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    refuse: (value) => void (isRejecting = value),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
