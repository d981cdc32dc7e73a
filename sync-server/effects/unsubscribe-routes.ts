import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Router from '@koa/router';
import type { Context } from 'koa';
import { isUuid } from '../../shared/lib/uuid.ts';
import type { Deps } from '../ports/deps.ts';
import { readBody } from '../http/read-body.ts';
import { findPreference, setInterestMails, type MailPreference } from './mail-preferences.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, 'unsubscribe-pages', `${name}.html`), 'utf8');
const pages = { ask: read('ask'), stopped: read('stopped'), again: read('again'), unknown: read('unknown') };

export const unsubscribePath = '/api/mail/unsubscribe';

/**
 * The link at the foot of a mail: its token is the only authorisation.
 *
 * - `GET /api/mail/unsubscribe/:token`: a page with one button. It changes nothing: mail scanners open every link.
 * - `POST`: no more of these mails, also straight from the mail program (RFC 8058); with `again=yes` as a form field, mails again.
 *
 * 404, a page too, for a token that was never in a mail.
 */
export function unsubscribeRoutes({ database, clock }: Pick<Deps, 'database' | 'clock'>): Router {
  const router = new Router({ prefix: unsubscribePath });

  async function answer(ctx: Context, act: (preference: MailPreference) => Promise<string>): Promise<void> {
    const token = String(ctx['params']['token']);
    const preference = isUuid(token) ? await findPreference(database.sql, token) : undefined;
    ctx.set({ 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' });
    ctx.type = 'html';
    ctx.status = preference === undefined ? 404 : 200;
    ctx.body = preference === undefined ? pages.unknown : await act(preference);
  }

  router.get('/:token', (ctx) =>
    answer(ctx, async ({ wantsInterestMails }) => (wantsInterestMails ? pages.ask : pages.stopped)),
  );
  router.post('/:token', (ctx) =>
    answer(ctx, async ({ token }) => {
      const form = new URLSearchParams((await readBody(ctx, { limit: 4096 })).toString('utf8'));
      const wanted = form.get('again') === 'yes';
      await setInterestMails(database.sql, token, wanted, clock());
      return wanted ? pages.again : pages.stopped;
    }),
  );
  return router;
}
