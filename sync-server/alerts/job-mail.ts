import { html } from '../../shared/lib/html.ts';
import { pathOf } from '../../shared/routes.ts';
import { mailButton, mailItem, mailPage, mailText } from '../mail/mail-page.ts';
import type { Mail } from '../mail/mailer.ts';
import { quoted } from '../mail/quoted.ts';
import { factsOf, type AlertedJob } from './push-message.ts';

interface JobMailParts {
  jobs: readonly AlertedJob[];
  /** Origin people reach the product at. */
  origin: string;
  unsubscribeUrl: string;
}

/** Jobs in one mail at most; the rest is on Find Jobs. */
const maxListed = 20;

/** "3 new jobs for you": the jobs as the feed shows them, and nothing of who posted them. */
export function jobMail({ jobs, origin, unsubscribeUrl }: JobMailParts): Omit<Mail, 'to'> {
  const title = jobs.length === 1 ? 'A new job for you' : `${jobs.length} new jobs for you`;
  const shown = jobs.slice(0, maxListed).map((job) => ({
    href: origin + pathOf('/job/$id', job.row.id),
    title: quoted(job.row.title),
    // A place may be a person’s own words.
    facts: quoted(factsOf(job)).slice(1, -1),
  }));
  const rest = jobs.length - shown.length;
  const more = rest === 0 ? [] : [`And ${rest} more on Find Jobs.`];
  const lead = jobs.length === 1 ? 'One of your saved searches finds it.' : 'Your saved searches find them.';
  const whose =
    jobs.length === 1 ? 'The job, in the homeowner’s own words:' : 'The jobs, in the homeowners’ own words:';
  const action = 'See it on Dwang';
  const [first] = shown;
  const href = jobs.length === 1 && first !== undefined ? first.href : origin + pathOf('/find-jobs');
  const why = 'You get this email because you saved a search on Dwang and no phone told you of these jobs.';
  const stop = 'Stop emails about new jobs';
  const listed = shown.map((job) => `${job.title}\n${job.facts}\n${job.href}`).join('\n\n');
  return {
    subject: title,
    text: `Kia ora. ${title}. ${lead}\n\n${whose}\n\n${listed}\n\n${more.map((line) => `${line}\n${href}\n\n`).join('')}${why} ${stop}:\n${unsubscribeUrl}\n\nDwang\n`,
    html: mailPage({
      title,
      parts: [
        mailText(lead),
        mailText(whose),
        ...shown.map((job) => mailItem(job.href, job.title, job.facts)),
        ...more.map((line) => mailText(line)),
        mailButton(href, jobs.length === 1 ? action : 'See them on Dwang', 'main'),
      ],
      foot: html`${why} <a class="s" style="color:#384941" href="${unsubscribeUrl}">${stop}</a>.<br />What is in
        quotation marks was written by homeowners, not by Dwang.`,
    }),
    unsubscribeUrl,
  };
}
