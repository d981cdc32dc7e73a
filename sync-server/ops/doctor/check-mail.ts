import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Config } from '../../lib/config.ts';
import { warning, good, lookUp, missing, type Finding } from './finding.ts';

const about = 'Mail';
const timeoutMs = 10_000;

/** Does a mail server greet us? Whether it accepts our mail shows with the first one. */
export function checkMail({ mail }: Pick<Config, 'mail'>): Promise<Finding[]> {
  if (mail === undefined)
    return Promise.resolve([warning(about, 'SMTP_URL is not set: mail is kept at /dev/mailbox, and is not sent.')]);
  return lookUp(
    about,
    'The mail server',
    () => greetingOf(new URL(mail.smtpUrl)),
    (greeting) => [
      greeting.startsWith('220')
        ? good(about, 'The mail server answers.')
        : missing(about, 'SMTP_URL leads to something that is no mail server.'),
    ],
  );
}

function greetingOf({ protocol, hostname, port }: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const isTls = protocol === 'smtps:';
    const to = { host: hostname, port: Number(port) || (isTls ? 465 : 587) };
    const socket = isTls ? connectTls({ ...to, servername: hostname }) : connectPlain(to);
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no greeting in time')));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('it hung up')));
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes.toString('latin1'));
      socket.end();
    });
  });
}
