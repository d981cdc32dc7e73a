import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { Mailer } from '../mail/mailer.ts';
import { addEffect } from './record-effects.ts';

/**
 * Takes mail at once and has it sent later: the duration of an SMTP delivery must not tell the caller whether there was
 * anything to send, and an SMTP server that is away for a while loses nothing.
 */
export function createQueuedMailer({ database, clock }: { database: Database; clock: () => Date }): Mailer {
  return {
    send: ({ to, subject, text, html }) =>
      addEffect(database.sql, clock(), {
        name: 'mail.send',
        key: `mail.send:${randomUUID()}`,
        payload: { to, subject, text, html },
      }),
  };
}
