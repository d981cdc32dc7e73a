import type { Database } from '../db/database.ts';
import { pathOf } from '../../shared/routes.ts';
import { html } from '../../shared/lib/html.ts';
import { formatPhone, toE164 } from '../../shared/lib/phone.ts';
import type { Mail, Mailer } from '../mail/mailer.ts';
import { mailButton, mailPage, mailQuote, mailText } from '../mail/mail-page.ts';
import { quoted } from '../mail/quoted.ts';
import type { EffectHandlers } from './run-effects.ts';
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
export function createInterestMail({
  database,
  clock,
  mailer,
  publicUrl,
}: InterestMailParts): EffectHandlers['interest.mail'] {
  return async ({ interestId }, key) => {
    const interest = await database.sql
      .selectFrom('interests as i')
      .innerJoin('jobs as j', 'j.id', 'i.job_id')
      .innerJoin('users as u', 'u.id', 'j.user_id')
      .innerJoin('tradies as t', 't.id', 'i.tradie_id')
      .select([
        'u.id as owner_id',
        'u.email',
        'j.id as job_id',
        'j.title',
        't.business_name',
        't.contact_phone',
        't.category_ids',
        'i.note',
      ])
      .where('i.id', '=', interestId)
      .executeTakeFirst();
    if (interest === undefined) return;
    const { token, wantsInterestMails } = await preferenceOf(database.sql, interest.owner_id, clock());
    if (!wantsInterestMails) return;
    const trades = await database.sql
      .selectFrom('reference')
      .select('name')
      .where('kind', '=', 'category')
      .where('id', '=', (eb) => eb.fn.any(eb.val(interest.category_ids)))
      .orderBy('name')
      .execute();
    const facts = { ...interest, trades: trades.map(({ name }) => name) };
    const origin = publicUrl();
    await mailer.send({
      ...interestMail(facts, origin + pathOf('/job/$id', interest.job_id), `${origin}${unsubscribePath}/${token}`),
      id: key,
    });
  };
}

interface Facts {
  email: string;
  title: string;
  business_name: string;
  note: string;
  contact_phone: string | null;
  trades: readonly string[];
}

function interestMail(facts: Facts, jobUrl: string, unsubscribeUrl: string): Mail {
  const subject = 'A tradie is interested in your job';
  const lead = `Kia ora. ${subject}.`;
  const trades = facts.trades.join(', ');
  const phone = facts.contact_phone === null ? undefined : toE164(facts.contact_phone);
  const called = 'Business name, in the tradie’s own words';
  const noted = 'Note, in the tradie’s own words';
  const lines = [
    `Your job: ${quoted(facts.title)}`,
    `${called}: ${quoted(facts.business_name)}`,
    ...(trades === '' ? [] : [`Trade: ${trades}`]),
    ...(facts.note === '' ? [] : [`${noted}: ${quoted(facts.note)}`]),
    ...(phone === undefined ? [] : [`Call: ${formatPhone(phone)}`]),
  ];
  const action = 'See who it is and get in touch';
  const privacy = 'They do not have your name, your email or your number. You decide whom you call.';
  const why = 'You get this email because you posted a job on Dwang.';
  const stop = 'Stop emails about interested tradies';
  return {
    to: facts.email,
    subject,
    text: `${lead}\n\n${lines.join('\n')}\n\n${action}:\n${jobUrl}\n\n${privacy}\n\n${why} ${stop}:\n${unsubscribeUrl}\n\nDwang\n`,
    html: mailPage({
      title: subject,
      parts: [
        mailText(`Your job: ${quoted(facts.title)}`),
        mailQuote(called, quoted(facts.business_name)),
        ...(trades === '' ? [] : [mailText(`Trade: ${trades}`)]),
        ...(facts.note === '' ? [] : [mailQuote(noted, quoted(facts.note))]),
        ...(phone === undefined ? [] : [mailButton(`tel:${phone}`, `Call ${formatPhone(phone)}`, 'main')]),
        mailButton(jobUrl, action, phone === undefined ? 'main' : 'other'),
        html`<div style="height:20px"></div>`,
        mailText(privacy),
      ],
      foot: html`${why} <a class="s" style="color:#384941" href="${unsubscribeUrl}">${stop}</a>.<br />The name and the
        note in quotation marks were written by the tradie, not by Dwang.`,
    }),
    unsubscribeUrl,
  };
}
