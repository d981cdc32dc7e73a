import { day, hour, minute, second } from '../../../shared/lib/durations.ts';
import { html, type Html } from '../../../shared/lib/html.ts';
import { htmlPage } from '../../http/html-page.ts';
import type { DeadLetter } from './dead-letters.ts';
import type { Memory } from '../../sync/poke.ts';
import type { ExchangeStats, Minute } from '../health/exchange-stats.ts';
import type { Check, Checks } from '../health/readiness.ts';
import type { SyncOverview } from '../health/sync-overview.ts';
import type { Safety } from '../health/safety.ts';
import { chart, figures, table } from './status-parts.ts';
import { safetySection } from './status-safety.ts';

export interface Status {
  at: Date;
  checks: Checks;
  reasons: string[];
  sync: SyncOverview | undefined;
  /** What outlives the loss of the database; undefined where it could not be read. */
  safety: Safety | undefined;
  uptimeSeconds: number;
  memoryBytes: number;
  listeners: number;
  oldestUnsentMs: number;
  memory: Memory;
  exchange: ReturnType<ExchangeStats['now']>;
  history: Minute[];
  /** Those that wait for an operator; undefined where they could not be read. */
  deadLetters: DeadLetter[] | undefined;
}

const style = '/health/status.css';
const number = new Intl.NumberFormat('en-NZ', { maximumFractionDigits: 1 });
const when = new Intl.DateTimeFormat('en-NZ', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Pacific/Auckland',
});
const whenShort = new Intl.DateTimeFormat('en-NZ', { timeStyle: 'short', timeZone: 'Pacific/Auckland' });
const ms = (value: number | null) => (value === null ? '–' : `${number.format(value)} ms`);
const mebibytes = (bytes: number) => `${number.format(bytes / 1024 / 1024)} MiB`;

/** The whole page; its script puts `statusPart` in place of what is live. */
export function statusPage(status: Status, canSignOut: boolean): string {
  return htmlPage(
    'Health',
    html`<h1>Health</h1>
      <p id="said" role="status">${stateOf(status)}</p>
      <div id="live">${statusPart(status)}</div>
      ${
        canSignOut
          ? html`<section>
              <form method="post" action="/health/sign-out"><button>Sign out</button></form>
            </section>`
          : undefined
      }`,
    { styles: [style], scripts: ['/health/status.js'] },
  );
}

function stateOf({ checks, reasons, deadLetters }: Status): string {
  if (reasons.length > 0) return `Not ready: ${reasons.join(', ')}`;
  const away = Object.entries(checks)
    .filter(([, { state }]) => state === 'down')
    .map(([name]) => name);
  if (away.length > 0) return `Ready, but ${away.join(' and ')} ${away.length > 1 ? 'are' : 'is'} away`;
  if (deadLetters === undefined) return 'Ready, but dead letters could not be read';
  return deadLetters.length > 0
    ? `Ready; ${deadLetters.length} ${deadLetters.length === 1 ? 'dead letter waits' : 'dead letters wait'} for you`
    : 'Ready: all is well';
}

/** What changes. */
export function statusPart(status: Status): Html {
  const {
    at,
    checks,
    sync,
    exchange,
    history,
    uptimeSeconds,
    memoryBytes,
    listeners,
    oldestUnsentMs,
    memory,
    deadLetters,
    safety,
  } = status;
  return html`<p data-state="${stateOf(status)}">
      As of ${when.format(at)}, by this instance, running for ${duration(uptimeSeconds)}.
    </p>
    <section aria-labelledby="leans">
      <h2 id="leans">What it leans on</h2>
      ${checksTable(checks)}
    </section>
    <section aria-labelledby="exchanges">
      <h2 id="exchanges">Exchanges, last five minutes</h2>
      ${figures([
        ['A second', number.format(exchange.perSecond)],
        ['Half take under', ms(exchange.p50)],
        ['95 % take under', ms(exchange.p95)],
        ['99 % take under', ms(exchange.p99)],
        ['Failed', number.format(exchange.failures)],
        ['Devices listening', number.format(listeners)],
        ['Oldest unsent poke', ms(oldestUnsentMs)],
        ['Answers from memory', memory.isFresh ? 'yes' : 'no: it may have missed commits'],
        ['Head read', ms(memory.headAgeMs)],
        ['Notices proved', ms(memory.proofAgeMs)],
        ['Memory', mebibytes(memoryBytes)],
      ])}
      ${chart(
        'Exchanges a second, last half hour',
        history,
        ({ perSecond }) => perSecond,
        (value) => number.format(value),
      )}
      ${chart('95 % take under, last half hour', history, ({ p95 }) => p95 ?? 0, ms)}
      <details id="history">
        <summary>The charts as figures</summary>
        ${historyTable(history)}
      </details>
    </section>
    ${
      sync === undefined
        ? html`<section>
            <h2>Sync</h2>
            <p class="down">The database does not answer, so nothing is known of it.</p>
          </section>`
        : syncSections(sync)
    }
    ${safetySection(safety)}
    <section aria-labelledby="dead-letters">
      <h2 id="dead-letters">Dead letters</h2>
      ${listOfDeadLetters(deadLetters)}
    </section>`;
}

function checksTable(checks: Checks): Html {
  return table(
    'Checks',
    ['What', 'State', 'Took', 'Says'],
    Object.entries(checks).map(([name, check]) => checkRow(name, check)),
  );
}

function historyTable(history: readonly Minute[]): Html {
  return table(
    'Half minutes, newest first',
    ['From', '#A second', '#95 % under', '#Failed'],
    history
      .toReversed()
      .filter(({ p95 }) => p95 !== null)
      .map(({ at, perSecond, p95, failures }) => [
        whenShort.format(new Date(at)),
        number.format(perSecond),
        ms(p95),
        String(failures),
      ]),
  );
}

function listOfDeadLetters(deadLetters: Status['deadLetters']): Html {
  if (deadLetters === undefined) return html`<p>They could not be read.</p>`;
  if (deadLetters.length === 0) return html`<p>None waits.</p>`;
  const items = deadLetters.map(
    ({ parkedAt, name, userId, uid, error }) =>
      html`<li>
        <strong>${name}</strong> since ${when.format(parkedAt)}<br />
        <code>--user ${userId} --uid ${uid}</code><br />
        ${error}
      </li>`,
  );
  return html`<p>
      Laid aside after an error that stayed. Read, replay or discard one with <code>npm run ops -- parked</code>.
    </p>
    <ul>
      ${items}
    </ul>`;
}

function syncSections({
  devices,
  mutations,
  failing,
  headVersion,
  tombstoneFloor,
  lineage: timeline,
  changeTable,
  effects,
  alerts: { byPhone, byMail, phones },
  retention,
}: SyncOverview): Html {
  return html`<section aria-labelledby="sync">
      <h2 id="sync">Sync, all instances</h2>
      ${figures([
        ['Devices in five minutes', number.format(devices.lastFiveMinutes)],
        ['Devices in a day', number.format(devices.lastDay)],
        ['People known', number.format(devices.people)],
        ['Being tried again', number.format(failing)],
        ['Change table', `${number.format(changeTable.rows)} lines, ${mebibytes(changeTable.bytes)}`],
        ['Removals in it', number.format(changeTable.removals)],
        ['Mails and alerts waiting', number.format(effects.waiting)],
        ['Mails and alerts given up in a day', number.format(effects.givenUp)],
        ['Phones with alerts', number.format(phones)],
      ])}
      <p>
        Timeline <code>${timeline}</code>, head version <code>${headVersion}</code>, tombstone floor
        <code>${tombstoneFloor}</code>
      </p>
    </section>
    <section aria-labelledby="alerts">
      <h2 id="alerts">Alerts, last 24 hours</h2>
      ${table(
        'Alerts',
        ['To', '#Sent', '#Failed', '#Gone', '#Waiting now'],
        [
          [
            'phones',
            ...[byPhone.sent, byPhone.failed, byPhone.gone, byPhone.waiting].map((count) => number.format(count)),
          ],
          ['mail', number.format(byMail.sent), number.format(byMail.failed), '', number.format(byMail.waiting)],
        ],
      )}
    </section>
    <section aria-labelledby="decided">
      <h2 id="decided">Changes decided, last 24 hours</h2>
      ${
        mutations.length === 0
          ? html`<p>None.</p>`
          : table(
              'Changes decided',
              ['What', 'Became', 'Why', '#How many'],
              mutations.map(({ name, status, code, count }) => [name, status, code ?? '', number.format(count)]),
            )
      }
    </section>
    <section aria-labelledby="retention">
      <h2 id="retention">What was forgotten</h2>
      ${
        retention.length === 0
          ? html`<p>Nothing yet: the first run is five minutes after the start.</p>`
          : table(
              'Retention',
              ['Job', 'Last run', '#Removed'],
              retention.map(({ job, finishedAt, removed }) => [job, when.format(finishedAt), number.format(removed)]),
            )
      }
    </section>`;
}

function checkRow(name: string, { state, ms: took, says, isNeeded }: Check): (string | Html)[] {
  return [
    name,
    html`<span class="${state}">${state === 'ok' ? 'ok' : isNeeded ? 'DOWN' : 'away'}</span>`,
    ms(took),
    says,
  ];
}

function duration(seconds: number): string {
  const all = seconds * second;
  const [days, hours, minutes] = [
    Math.floor(all / day),
    Math.floor((all % day) / hour),
    Math.floor((all % hour) / minute),
  ];
  return [days > 0 ? `${days} d` : '', hours > 0 ? `${hours} h` : '', `${minutes} min`]
    .filter((part) => part !== '')
    .join(' ');
}
