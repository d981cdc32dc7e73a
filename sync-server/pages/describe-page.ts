import type { Documents, InlinedTradie } from '../../shared/inlined.ts';
import type { Html } from '../../shared/lib/html.ts';
import { fixedPages } from '../../shared/fixed-pages.ts';
import { formatMoney } from '../../shared/lib/money.ts';
import type { PageHead } from '../../shared/lib/page-head.ts';
import { isUuid } from '../../shared/lib/uuid.ts';
import type { Tradie } from '../../shared/tables/index.ts';
import { collectionColumns } from '../../shared/tables/collections.ts';
import type { Sql } from '../db/database.ts';
import type { Deps } from '../ports/deps.ts';
import { readRow } from '../api/read-rows.ts';
import { findCheck } from '../nzbn/nzbn-checks.ts';
import { createDirectoryBeginning } from './directory-beginning.ts';
import { drawDirectory, drawTradie, type Drawn } from './documents.ts';
import { createLandingProof } from './landing-proof.ts';
import { namedIds, readReferenceNames, wordsOf } from './reference-names.ts';

/** What a page says of itself where its link is shared, and the status it comes with. */
export interface PageDescription {
  readonly status: 200 | 404;
  /** Undefined: nothing in particular. */
  readonly head?: Omit<PageHead, 'origin'>;
  /** What its document holds, where that is drawn by the app's own components (`app/documents.tsx`). */
  readonly drawn?: Drawn | undefined;
  /** What the landing page shows of the day. */
  readonly proof?: Html | undefined;
}

/** Undefined: a page that says nothing in particular. */
export type DescribePage = (path: string, query?: Record<string, unknown>) => Promise<PageDescription | undefined>;

/** About as much as search engines and chats show. */
const maxWords = 200;
const maxTitle = 90;

/**
 * Describes `/`, `/legal`, `/find-tradies`, `/tradie/{id}` and `/job/{id}` for clients that run no script. Says only
 * what a signed-out visitor may read: never a contact, never whose job it is, and of a closed job nothing, not even
 * that it is there. A job is shared by link and not listed by search engines.
 */
export function describePages(
  { database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>,
  loading: Promise<Documents | undefined> = Promise.resolve(undefined),
): DescribePage {
  // Logged by each request that needs it.
  loading.catch(() => undefined);
  const proofOfTheDay = createLandingProof({ database, clock });
  const beginning = createDirectoryBeginning({ database, clock });
  const withoutIt = (error: unknown) => {
    log.warn({ err: error }, 'nothing to show of the day');
    return undefined;
  };
  const describe = async (given: string, query: Record<string, unknown>): Promise<PageDescription | undefined> => {
    const path = given === '/' ? given : given.replace(/\/$/, '');
    if (Object.hasOwn(fixedPages, path)) {
      const head = { ...fixedPages[path as keyof typeof fixedPages], path };
      if (path === '/') return { status: 200, head, proof: await proofOfTheDay().catch(withoutIt) };
      if (path !== '/find-tradies') return { status: 200, head };
      const directory = await beginning().catch(withoutIt);
      const documents = await loading;
      return { status: 200, head, drawn: documents && directory && drawDirectory(documents, directory, query) };
    }
    const [, kind, id = ''] = /^\/(tradie|job)\/([^/]+)$/.exec(path) ?? [];
    if (kind === 'tradie') return isUuid(id) ? describeTradie(database.sql, id, path, await loading) : { status: 404 };
    if (kind === 'job' && isUuid(id)) return describeJob(database.sql, id, path);
    return undefined;
  };
  return async (path, query = {}) => {
    try {
      return await describe(path, query);
    } catch (error) {
      // The app itself needs no database to be sent, and works without one.
      log.warn({ err: error }, 'page not described');
      return undefined;
    }
  };
}

async function describeTradie(
  sql: Sql,
  id: string,
  path: string,
  documents: Documents | undefined,
): Promise<PageDescription> {
  const tradie = await readRow(sql, 'tradies', id);
  if (tradie === undefined) return { status: 404 };
  const names = await readReferenceNames(sql, namedIds(tradie));
  const words = wordsOf(tradie, names);
  const trades = words.trades.slice(0, 3).join(', ');
  const town = names.get(tradie.locationId ?? '')?.name;
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
    drawn: documents && drawTradie(documents, { ...(await inlinedOf(sql, tradie)), ...words }),
  };
}

/** Only what every visitor may read, column by column: what the directory shows, and the public details. */
async function inlinedOf(sql: Sql, tradie: Tradie): Promise<Pick<InlinedTradie, 'listed' | 'details'>> {
  const listed = Object.fromEntries(
    collectionColumns('directory').map((column) => [column, tradie[column as keyof Tradie]]),
  ) as unknown as InlinedTradie['listed'];
  const { nzbn, businessAddress, contactPersonFirstName, contactPersonLastName } = tradie;
  return {
    listed,
    details: {
      nzbn,
      businessAddress,
      contactPerson: [contactPersonFirstName, contactPersonLastName].filter(Boolean).join(' '),
      registeredName: (await findCheck(sql, nzbn))?.entityName ?? '',
    },
  };
}

async function describeJob(sql: Sql, id: string, path: string): Promise<PageDescription | undefined> {
  const job = await readRow(sql, 'jobs', id);
  if (job?.status !== 'active') return undefined;
  const town =
    job.locationId === null ? undefined : (await readReferenceNames(sql, [job.locationId])).get(job.locationId)?.name;
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

/** One line, cut between characters, never inside one. */
function shorten(text: string, maxLength: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}
