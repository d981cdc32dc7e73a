import { minute, day } from '../../shared/lib/durations.ts';
import { html, type Html } from '../../shared/lib/html.ts';
import { formatMoney } from '../../shared/lib/money.ts';
import { nzDate } from '../../shared/lib/nz-time.ts';
import { keepFor } from '../lib/keep-for.ts';
import type { Deps } from '../ports/deps.ts';

/** How long what is written is kept: every visitor asks for the page. */
const keptMs = 10 * minute;
const recentMs = 7 * day;
const weekday = new Intl.DateTimeFormat('en-NZ', { weekday: 'long', timeZone: 'Pacific/Auckland' });

/** Of each, so that the section is no longer than a phone. */
const maxListed = 3;

/**
 * What the landing page shows of the day: the newest jobs of the last week by their trade, place, day and budget, and
 * the newest businesses that are verified. Nothing that a homeowner wrote, no photo (its address names its owner), no
 * id of a job: reading those needs a subscription. Undefined where there is neither. Read at most once in ten minutes.
 */
export const createLandingProof = ({ database, clock }: Pick<Deps, 'database' | 'clock'>) =>
  keepFor(keptMs, clock, (now) => readProof(database, now));

/** `today`, `yesterday`, or within the week before them `Monday`. */
function dayWords(at: Date, now: Date): string {
  if (nzDate(at) === nzDate(now)) return 'today';
  return nzDate(at) === nzDate(new Date(now.getTime() - day)) ? 'yesterday' : weekday.format(at);
}

async function readProof({ sql }: Deps['database'], now: Date): Promise<Html | undefined> {
  const jobs = await sql
    .selectFrom('jobs')
    .innerJoin('reference as trade', 'trade.id', 'jobs.category_id')
    .innerJoin('reference as town', 'town.id', 'jobs.location_id')
    .select([
      'trade.name as trade',
      'town.name as town',
      'town.region',
      'budget_max as budget',
      'interest_count as answers',
      'jobs.created_at as posted',
    ])
    .where('jobs.status', '=', 'active')
    .where('jobs.created_at', '>=', new Date(now.getTime() - recentMs))
    .orderBy('jobs.created_at', 'desc')
    .limit(maxListed)
    .execute();
  const tradies = await sql
    .selectFrom('tradies')
    .innerJoin('reference as town', 'town.id', 'tradies.location_id')
    .select(['tradies.id', 'business_name as name', 'category_ids as trades', 'town.name as town', 'town.region'])
    .where('is_verified', '=', true)
    .orderBy('tradies.created_at', 'desc')
    .limit(maxListed)
    .execute();
  const categories = await sql.selectFrom('reference').select(['id', 'name']).where('kind', '=', 'category').execute();
  const tradeOf = ([first]: readonly string[]) => categories.find(({ id }) => id === first)?.name;
  const placeOf = ({ town, region }: { town: string; region: string | null }) =>
    [...new Set([town, region])].filter(Boolean).join(', ');
  const parts = [
    ...(jobs.length === 0
      ? []
      : [
          html`<section>
            <h3>Posted this week</h3>
            <ul role="list">
              ${jobs.map(
                (job) =>
                  html`<li>
                    <strong>${job.trade}</strong>
                    <b>${job.budget === null ? 'No budget given' : `${formatMoney(Number(job.budget))} max`}</b>
                    <span>${placeOf(job)} · ${dayWords(new Date(job.posted), now)}</span>
                    <span>${job.answers === 0 ? '' : `${job.answers} interested`}</span>
                  </li>`,
              )}
            </ul>
            <p>What homeowners wrote, and their photos, are for tradies to read.</p>
          </section>`,
        ]),
    ...(tradies.length === 0
      ? []
      : [
          html`<section>
            <h3>Verified businesses here</h3>
            <ul role="list">
              ${tradies.map(
                (tradie) =>
                  html`<li>
                    <a href="/tradie/${tradie.id}">${tradie.name}</a>
                    <span>${[tradeOf(tradie.trades), placeOf(tradie)].filter(Boolean).join(' · ')}</span>
                  </li>`,
              )}
            </ul>
            <p><a href="/find-tradies">See every business</a></p>
          </section>`,
        ]),
  ];
  return parts.length === 0 ? undefined : html`${parts}`;
}
