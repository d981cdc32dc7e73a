import { html } from '../../shared/lib/html.ts';
import { pathOf } from '../../shared/routes.ts';
import { drawing } from '../http/brand.ts';
import { htmlPage } from '../http/html-page.ts';

/** What a link in a mail leads to, as text or as pages. */
interface UnsubscribePages {
  /** Asks, with one button: a mail scanner that opens the link changes nothing. */
  readonly ask: string;
  readonly stopped: string;
  readonly again: string;
}

const toDwang = html`<p><a href="${pathOf('/dashboard')}">Go to Dwang</a></p>`;

// A form without an action sends to the page’s own address.
function pagesOf(says: UnsubscribePages): UnsubscribePages {
  return {
    ask: htmlPage(
      'Stop these emails?',
      html`<h1>Stop these emails?</h1>
        <p>${says.ask}</p>
        <form method="post"><button class="main">Stop these emails</button></form>`,
    ),
    stopped: htmlPage(
      'No more emails',
      html`${drawing('done')}
        <h1>No more emails</h1>
        <p role="status">${says.stopped}</p>
        <form method="post"><input type="hidden" name="again" value="yes" /><button>Email me again</button></form>
        ${toDwang}`,
    ),
    again: htmlPage(
      'Emails are on',
      html`${drawing('done')}
        <h1>Emails are on</h1>
        <p role="status">${says.again}</p>
        ${toDwang}`,
    ),
  };
}

/** The pages of the mails about interested tradies. */
export const interestPages = pagesOf({
  ask: 'We email you when a tradie is interested in a job you posted. You can always see them under your job on Dwang.',
  stopped: 'We won’t email you about interested tradies any more. You still see them under your job on Dwang.',
  again: 'We’ll email you when a tradie is interested in a job you posted.',
});

/** The pages of the mails about new jobs. */
export const jobPages = pagesOf({
  ask: 'We email you new jobs that your saved searches find. You can always see them on Dwang.',
  stopped: 'We won’t email you about new jobs any more. Your saved searches still find them on Dwang.',
  again: 'We’ll email you new jobs that your saved searches find, each morning.',
});

export const unknownPage = htmlPage(
  'Link not known',
  html`${drawing('lost')}
    <h1>We don’t know this link</h1>
    <p>It may have been cut short. Open it again from the email.</p>
    <p><a href="/">Go to Dwang</a></p>`,
);
