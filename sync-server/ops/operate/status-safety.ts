import { html, type Html } from '../../../shared/lib/html.ts';
import type { Safety } from '../health/safety.ts';
import { figures } from './status-parts.ts';

const number = new Intl.NumberFormat('en-NZ');
const when = new Intl.DateTimeFormat('en-NZ', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Pacific/Auckland',
});
const means = {
  backup: 'a backup that was copied, and the copy read',
  standby: 'a synchronous standby',
  archive: 'the archived log',
} as const;

/** What would be lost with the database but for the phones, and what they brought back after the last restore. */
export function safetySection(safety: Safety | undefined): Html {
  return html`<section aria-labelledby="safe">
    <h2 id="safe">If the database were lost</h2>
    ${safety === undefined ? html`<p>It could not be read.</p>` : parts(safety)}
  </section>`;
}

function parts({ by, safeSince, notSafe, restore }: Safety): Html {
  return html`${
    by === null
      ? html`<p>Nothing is known to outlive it (<code>SAFE_BY</code>): phones keep what they sent for 30 days.</p>`
      : html`<p>
          Changes outlive it by
          ${means[by]}${safeSince === null ? ': none yet' : `: all until ${when.format(safeSince)}`}.
        </p>`
  }
  ${figures([[safeSince === null ? 'Changes of 30 days not safe' : 'Changes since then, not safe yet', number.format(notSafe)]])}
  ${restore === null ? html`<p>It was never restored.</p>` : restored(restore)}`;
}

const atLeast = (count: number) => (count === 0 ? '0' : `at least ${number.format(count)}`);

function restored({ at, point, sentAgain, unheard }: NonNullable<Safety['restore']>): Html {
  return html`<h3>Since the restore of ${when.format(at)}</h3>
    <p>It has what was there up to version <code>${point}</code>. What phones sent again:</p>
    ${figures([
      ['Came back', number.format(sentAgain.applied)],
      ['From devices', number.format(sentAgain.devices)],
      ['Of people', number.format(sentAgain.people)],
      ['Waits for what another may bring, as far as phones have asked', atLeast(sentAgain.waitingAtLeast)],
      ['Refused: what it needs did not come back, or no longer allowed', number.format(sentAgain.refused)],
      ['Dead letters', number.format(sentAgain.parked)],
      ['Known devices not heard of since', `${number.format(unheard.devices)} of ${number.format(unheard.known)}`],
    ])}`;
}
