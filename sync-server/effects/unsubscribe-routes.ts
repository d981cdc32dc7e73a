import Router from '@koa/router';
import type { Context } from 'koa';
import { isUuid } from '../../shared/lib/uuid.ts';
import type { Deps } from '../ports/deps.ts';
import { htmlPage } from '../http/html-page.ts';
import { readBody } from '../http/read-body.ts';
import { findPreference, setInterestMails, type MailPreference } from './mail-preferences.ts';

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
    ctx.body = preference === undefined ? unknownPage : await act(preference);
  }

  router.get('/:token', (ctx) =>
    answer(ctx, async ({ wantsInterestMails }) => (wantsInterestMails ? askPage : stoppedPage)),
  );
  router.post('/:token', (ctx) =>
    answer(ctx, async ({ token }) => {
      const form = new URLSearchParams((await readBody(ctx, { limit: 4096 })).toString('utf8'));
      const wanted = form.get('again') === 'yes';
      await setInterestMails(database.sql, token, wanted, clock());
      return wanted ? againPage : stoppedPage;
    }),
  );
  return router;
}

// Forms without an action send to the page's own address.
const askPage = htmlPage(
  'Stop these emails?',
  `<h1>Stop these emails?</h1>
<p>We email you when a tradie is interested in a job you posted. You can always see them under your job on Dwang.</p>
<form method="post"><button>Stop these emails</button></form>`,
);

const stoppedPage = htmlPage(
  'No more emails',
  `<h1>No more emails</h1>
<p role="status">We won’t email you about interested tradies any more. You still see them under your job on Dwang.</p>
<form method="post"><input type="hidden" name="again" value="yes"><button>Email me again</button></form>
<p><a href="/dashboard">Go to Dwang</a></p>`,
);

const againPage = htmlPage(
  'Emails are on',
  `<h1>Emails are on</h1>
<p role="status">We’ll email you when a tradie is interested in a job you posted.</p>
<p><a href="/dashboard">Go to Dwang</a></p>`,
);

const unknownPage = htmlPage(
  'Link not known',
  `<h1>We don’t know this link</h1>
<p>It may have been cut short. Open it again from the email.</p>
<p><a href="/">Go to Dwang</a></p>`,
);
