import type { Html } from '../../shared/lib/html.ts';
import { fixedPages } from '../../shared/lib/fixed-pages.ts';
import { formatMoney } from '../../shared/lib/money.ts';
import type { PageHead } from '../../shared/lib/page-head.ts';
import { isUuid } from '../../shared/lib/uuid.ts';
import type { Reference, Tradie } from '../../shared/tables/index.ts';
import { collectionColumns } from '../../shared/tables/collections.ts';
import type { Sql } from '../db/database.ts';
import type { Deps } from '../ports/deps.ts';
import { readRow, readRows } from '../api/read-rows.ts';
import { createLandingProof } from './landing-proof.ts';

/** What a page says of itself where its link is shared, and the status it comes with. */
export interface PageDescription {
  readonly status: 200 | 404;
  /** Undefined: nothing in particular. */
  readonly head?: Omit<PageHead, 'origin'>;
  /**
   * The page's content before any script runs, in the app's placeholder (`app/features/tradies/prerendered-page.tsx`).
   */
  readonly sight?: PrerenderedTradie;
  /** What the landing page shows of the day. */
  readonly proof?: Html | undefined;
}

export interface PrerenderedTradie {
  readonly name: string;
  readonly place: string;
  readonly about: string;
  /**
   * The business's line in the directory and the words for its ids, as JSON (`app/features/tradies/inlined-tradie.ts`).
   */
  readonly written: string;
}

/** Undefined: a page that says nothing in particular. */
export type DescribePage = (path: string) => Promise<PageDescription | undefined>;

/** About as much as search engines and chats show. */
const maxWords = 200;
const maxTitle = 90;

/**
 * Describes `/`, `/legal`, `/find-tradies`, `/tradie/{id}` and `/job/{id}` for clients that run no script. Says only
 * what a signed-out visitor may read: never a contact, never whose job it is, and of a closed job nothing, not even
 * that it is there. A job is shared by link and not listed by search engines.
 */
export function describePages({ database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>): DescribePage {
  const proofOfTheDay = createLandingProof({ database, clock });
  const withoutIt = (error: unknown) => {
    log.warn({ err: error }, 'nothing to show of the day');
    return undefined;
  };
  const describe = async (given: string): Promise<PageDescription | undefined> => {
    const path = given === '/' ? given : given.replace(/\/$/, '');
    if (Object.hasOwn(fixedPages, path)) {
      const head = { ...fixedPages[path as keyof typeof fixedPages], path };
      return { status: 200, head, ...(path === '/' ? { proof: await proofOfTheDay().catch(withoutIt) } : {}) };
    }
    const [, kind, id = ''] = /^\/(tradie|job)\/([^/]+)$/.exec(path) ?? [];
    if (kind === 'tradie') return isUuid(id) ? describeTradie(database.sql, id, path) : { status: 404 };
    if (kind === 'job' && isUuid(id)) return describeJob(database.sql, id, path);
    return undefined;
  };
  return async (path) => {
    try {
      return await describe(path);
    } catch (error) {
      // The app itself needs no database to be sent, and works without one.
      log.warn({ err: error }, 'page not described');
      return undefined;
    }
  };
}

async function describeTradie(sql: Sql, id: string, path: string): Promise<PageDescription> {
  const tradie = await readRow(sql, 'tradies', id);
  if (tradie === undefined) return { status: 404 };
  const names = await readNames(sql, [
    ...tradie.categoryIds,
    ...(tradie.locationId === null ? [] : [tradie.locationId]),
  ]);
  const trades = tradie.categoryIds
    .slice(0, 3)
    .flatMap((one) => names.get(one)?.name ?? [])
    .join(', ');
  const { name: town, region } = names.get(tradie.locationId ?? '') ?? {};
  const place = [...new Set([town, region])].filter(Boolean).join(', ');
  return {
    status: 200,
    head: {
      title: `${shorten([tradie.businessName, town].filter(Boolean).join(', '), maxTitle)} · Dwang`,
      description: shorten(
        [`${trades === '' ? 'Tradie' : trades}${town === undefined ? '' : ` in ${town}`}.`, tradie.description].join(
          ' ',
        ),
        maxWords,
      ),
      path,
      type: 'profile',
    },
    // A business without words has nothing worth showing before the scripts run.
    ...(tradie.description === ''
      ? {}
      : {
          sight: sightOf(
            tradie,
            place,
            tradie.categoryIds.flatMap((one) => names.get(one)?.name ?? []),
          ),
        }),
  };
}

/** Only what the directory shows every visitor: the same columns, one by one. */
function sightOf(tradie: Tradie, place: string, trades: readonly string[]): PrerenderedTradie {
  const listed = Object.fromEntries(
    collectionColumns('directory').map((column) => [column, tradie[column as keyof Tradie]]),
  );
  return {
    name: tradie.businessName,
    place,
    about: tradie.description,
    written: JSON.stringify({ listed, trades, place }),
  };
}

async function describeJob(sql: Sql, id: string, path: string): Promise<PageDescription | undefined> {
  const job = await readRow(sql, 'jobs', id);
  if (job?.status !== 'active') return undefined;
  const town = job.locationId === null ? undefined : (await readNames(sql, [job.locationId])).get(job.locationId)?.name;
  const budget = job.budgetMax === null ? undefined : `Max budget ${formatMoney(job.budgetMax)}.`;
  return {
    status: 200,
    head: {
      title: `${shorten([job.title, town].filter(Boolean).join(', '), maxTitle)} · Dwang`,
      description: shorten([budget, job.description].filter(Boolean).join(' '), maxWords),
      path,
      isUnlisted: true,
    },
  };
}

async function readNames(sql: Sql, ids: readonly string[]): Promise<Map<string, Pick<Reference, 'name' | 'region'>>> {
  const rows = await readRows(sql, 'reference', { where: (t) => t('id', '=', t.fn.any(t.val(ids))), order: ['id'] });
  return new Map(rows.map((row) => [row.id, row]));
}

/** One line, cut between characters, never inside one. */
function shorten(text: string, most: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length <= most
    ? characters.join('')
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
