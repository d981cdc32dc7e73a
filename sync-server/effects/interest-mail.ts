import type { Database } from '../db/database.ts';
import { html } from '../../shared/lib/html.ts';
import type { Mail, Mailer } from '../mail/mailer.ts';
import { quoted } from '../mail/quoted.ts';
import type { Doers } from './run-effects.ts';
import { preferenceOf } from './mail-preferences.ts';
import { unsubscribePath } from './unsubscribe-routes.ts';

interface InterestMailParts {
  database: Database;
  clock: () => Date;
  mailer: Mailer;
  /** Origin people reach the product at. */
  publicUrl: () => string;
}

/** Mails a job's owner who is interested, unless they have unsubscribed. It contains nothing about the owner. */
export function createInterestMail({ database, clock, mailer, publicUrl }: InterestMailParts): Doers['interest.mail'] {
  return async ({ interestId }, key) => {
    const interest = await database.sql
      .selectFrom('interests as i')
      .innerJoin('jobs as j', 'j.id', 'i.job_id')
      .innerJoin('users as u', 'u.id', 'j.user_id')
      .innerJoin('tradies as t', 't.id', 'i.tradie_id')
      .select(['u.id as owner_id', 'u.email', 'j.id as job_id', 'j.title', 't.business_name'])
      .where('i.id', '=', interestId)
      .executeTakeFirst();
    if (interest === undefined) return;
    const { token, wantsInterestMails } = await preferenceOf(database.sql, interest.owner_id, clock());
    if (!wantsInterestMails) return;
    const origin = publicUrl();
    await mailer.send({
      ...interestMail(interest, `${origin}/job/${interest.job_id}`, `${origin}${unsubscribePath}/${token}`),
      id: key,
    });
  };
}

function interestMail(
  { email, title, business_name: businessName }: { email: string; title: string; business_name: string },
  jobUrl: string,
  unsubscribeUrl: string,
): Mail {
  const lead = 'Kia ora. A tradie is interested in your job.';
  const facts = [`Your job: ${quoted(title)}`, `Business name, in the tradie’s own words: ${quoted(businessName)}`];
  const action = 'See who it is and get in touch';
  const why = 'You get this email because you posted a job on Dwang.';
  const stop = 'Stop emails about interested tradies';
  return {
    to: email,
    subject: 'A tradie is interested in your job',
    text: `${lead}\n\n${facts.join('\n')}\n\n${action}:\n${jobUrl}\n\n${why} ${stop}:\n${unsubscribeUrl}\n\nDwang\n`,
    html: String(
      html`<!doctype html>
        <html lang="en-NZ">
          <body>
            <p>${lead}</p>
            <p>${facts.map((fact) => html`${fact}<br />`)}</p>
            <p><a href="${jobUrl}">${action}</a></p>
            <p>${why} <a href="${unsubscribeUrl}">${stop}</a></p>
            <p>Dwang</p>
          </body>
        </html>`,
    ),
    unsubscribeUrl,
  };
}
