import Router from '@koa/router';
import { sql as raw } from 'kysely';
import type { Database } from '../../db/database.ts';
import { embedded } from '../embedded-tables.ts';
import type { Mail, Mailer } from '../../mail/mailer.ts';
import type { KeptMail } from './kept-mail.ts';
import { mailboxPage, mailboxPagePolicy } from './mailbox-page.ts';

export interface Mailbox extends Mailer {
  /** Newest first. */
  list(): Promise<KeptMail[]>;
  router: Router;
}

const keepAtMost = 500;
const linksIn = (text: string) => text.match(/https?:\/\/[^\s<>"]+/g) ?? [];

/**
 * The post office of a fresh machine: keeps mail instead of sending it.
 *
 * `GET /dev/mailbox` is a page for people, `GET /dev/mailbox.json` answers `[{to, subject, text, html, links, at}]`,
 * newest first. Whoever reads it can open anybody's links, so it must only be mounted in embedded mode.
 */
export function createMailbox({ database, clock }: { database: Database; clock: () => Date }): Mailbox {
  async function send({ to, subject, text, html }: Mail): Promise<void> {
    await database.transaction(async (sql) => {
      const tables = embedded(sql);
      await tables
        .insertInto('mails')
        .values({ recipient: to, subject, text, html, links: JSON.stringify(linksIn(text)), at: clock() })
        .execute();
      const oldestKept = tables.selectFrom('mails').select('id').orderBy('id', 'desc').offset(keepAtMost).limit(1);
      await tables.deleteFrom('mails').where('id', '<=', raw<string>`(${oldestKept})`).execute();
    });
  }

  async function list(): Promise<KeptMail[]> {
    const rows = await embedded(database.sql).selectFrom('mails').selectAll().orderBy('id', 'desc').execute();
    return rows.map(({ recipient, subject, text, html, links, at }) => ({
      to: recipient,
      subject,
      text,
      html,
      links: links,
      at: at.toISOString(),
    }));
  }

  const router = new Router();
  router.get('/dev/mailbox.json', async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = await list();
  });
  router.get('/dev/mailbox', async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Security-Policy', mailboxPagePolicy);
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.type = 'html';
    ctx.body = mailboxPage(await list());
  });
  return { send, list, router };
}
