import Router from '@koa/router';
import type { Context } from 'koa';
import { isUuid } from '../../shared/lib/uuid.ts';
import type { Deps } from '../ports/deps.ts';
import { readBody } from '../http/read-body.ts';
import { findPreference, setInterestMails, type MailPreference } from './mail-preferences.ts';
import { interestPages, jobPages, unknownPage } from './unsubscribe-pages.ts';

export const unsubscribePath = '/api/mail/unsubscribe';
/** The address at which one tap ends the mails about new jobs. */
export const jobMailsPath = (token: string) => `${unsubscribePath}/${token}/jobs`;

/** A tradie's own choice, among their preferences. */
export interface JobMails {
  areWanted(userId: string): Promise<boolean>;
  want(userId: string, wanted: boolean): Promise<void>;
}

/**
 * The link at the foot of a mail: its token is the only authorisation.
 *
 * - `GET /api/mail/unsubscribe/:token`: a page with one button. It changes nothing: mail scanners open every link.
 * - `POST`: no more of these mails, also straight from the mail program (RFC 8058); with `again=yes` as a form field,
 * mails again.
 *
 * `/api/mail/unsubscribe/:token/jobs`: the same, of the mails about new jobs.
 *
 * 404, a page too, for a token that was never in a mail.
 */
export function unsubscribeRoutes({
  database,
  clock,
  jobMails,
}: Pick<Deps, 'database' | 'clock'> & { jobMails: JobMails }): Router {
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
    answer(ctx, async ({ wantsInterestMails }) => (wantsInterestMails ? interestPages.ask : interestPages.stopped)),
  );
  router.post('/:token', (ctx) =>
    answer(ctx, async ({ token }) => {
      const wanted = await wantsAgain(ctx);
      await setInterestMails(database.sql, token, wanted, clock());
      return wanted ? interestPages.again : interestPages.stopped;
    }),
  );
  router.get('/:token/jobs', (ctx) =>
    answer(ctx, async ({ userId }) => ((await jobMails.areWanted(userId)) ? jobPages.ask : jobPages.stopped)),
  );
  router.post('/:token/jobs', (ctx) =>
    answer(ctx, async ({ userId }) => {
      const wanted = await wantsAgain(ctx);
      await jobMails.want(userId, wanted);
      return wanted ? jobPages.again : jobPages.stopped;
    }),
  );
  return router;
}

async function wantsAgain(ctx: Context): Promise<boolean> {
  const form = new URLSearchParams((await readBody(ctx, { limit: 4096 })).toString('utf8'));
  return form.get('again') === 'yes';
}
