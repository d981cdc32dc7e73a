import Router from '@koa/router';
import type { Database } from '../../db/database.ts';
import { embedded } from '../embedded-tables.ts';
import type { Mail, Mailer } from '../../mail/mailer.ts';
import type { AdminGuard } from '../../ops/operate/admin-token.ts';
import { operatorSignIn } from '../../ops/operate/operator-sign-in.ts';
import type { KeptMail } from './kept-mail.ts';
import { mailboxPage, mailboxPagePolicy, shownMailPolicy } from './mailbox-page.ts';

export interface Mailbox extends Mailer {
  /** Newest first. */
  list(): Promise<KeptMail[]>;
  router: Router;
}

interface MailboxParts {
  database: Database;
  clock: () => Date;
  /** Who may look: a reader of the mailbox can open every person's links. */
  guard: AdminGuard;
  publicUrl: string | undefined;
}

const maxKept = 500;
const home = '/dev/mailbox';
const linksIn = (text: string) => text.match(/https?:\/\/[^\s<>"]+/g) ?? [];

/**
 * The mailer of a new installation: keeps mail instead of sending it.
 *
 * `GET /dev/mailbox` is a page for people, `GET /dev/mailbox.json` answers `[{row, to, subject, text, html, links,
 * at}]`, newest first, and
 * `GET /dev/mailbox/<row>` is one mail as a mail program shows it: where
 * the guard admits the request (bearer ADMIN_TOKEN or the cookie of the page's form; on a machine of one's own, from
 * that machine). 401
 * `admin-token-needed`; 404 where no token could open it.
 */
export function createMailbox({ database, clock, guard, publicUrl }: MailboxParts): Mailbox {
  async function send({ to, subject, text, html }: Mail): Promise<void> {
    await database.transaction(async (sql) => {
      const tables = embedded(sql);
      await tables
        .insertInto('mails')
        .values({ recipient: to, subject, text, html, links: JSON.stringify(linksIn(text)), at: clock() })
        .execute();
      const oldestKept = tables.selectFrom('mails').select('id').orderBy('id', 'desc').offset(maxKept).limit(1);
      await tables.deleteFrom('mails').where('id', '<=', oldestKept).execute();
    });
  }

  async function list(): Promise<KeptMail[]> {
    const rows = await embedded(database.sql).selectFrom('mails').selectAll().orderBy('id', 'desc').execute();
    return rows.map(({ id, recipient, subject, text, html, links, at }) => ({
      row: Number(id),
      to: recipient,
      subject,
      text,
      html,
      links: links,
      at: at.toISOString(),
    }));
  }

  const router = new Router();
  const mayLook = operatorSignIn(router, { guard, home, title: 'Mailbox', publicUrl });
  router.get(`${home}.json`, async (ctx) => {
    guard.check(ctx, 'look');
    ctx.set('Cache-Control', 'no-store');
    ctx.body = await list();
  });
  router.get(home, async (ctx) => {
    if (!mayLook(ctx)) return;
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Security-Policy', mailboxPagePolicy);
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.type = 'html';
    ctx.body = mailboxPage(await list());
  });
  router.get(`${home}/:row`, async (ctx) => {
    if (!mayLook(ctx)) return;
    const mail = (await list()).find(({ row }) => String(row) === ctx.params['row']);
    if (mail === undefined) return;
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Security-Policy', shownMailPolicy);
    // A browser shows nothing of a page that is in a sandbox and asks for this.
    ctx.remove('Cross-Origin-Opener-Policy');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.type = 'html';
    ctx.body = mail.html;
  });
  return { send, list, router };
}
