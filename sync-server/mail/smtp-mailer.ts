import { createTransport } from 'nodemailer';
import type { Mailer } from './mailer.ts';

interface PostOffice {
  /** `smtps://user:password@host:465`. */
  smtpUrl: string;
  /** Whom mails come from: `Dwang <hello@dwang.example.nz>` or the bare address. */
  from: string;
}

export interface SmtpMailer extends Mailer {
  close(): void;
}

/** Milliseconds. All of them together are well under the time for which an effect is claimed. */
const timeouts = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
} as const;

/** Sends mail to an SMTP server. TLS from the start with `smtps:`, as soon as it is offered with `smtp:`. */
export function openSmtpMailer({ smtpUrl, from }: PostOffice): SmtpMailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
  });
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ to, subject, text, html, id, unsubscribeUrl }) {
      const unsubscribe =
        unsubscribeUrl === undefined
          ? {}
          : {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            };
      await transport.sendMail({
        from,
        // nodemailer gets an object, which is one address and never a list, whatever characters it has.
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribe },
        ...(id === undefined ? {} : { messageId: `<${id.replace(/[^\w.-]/g, '.')}@${domain}>` }),
      });
    },
    close: () => transport.close(),
  };
}
