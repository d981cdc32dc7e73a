import { openCollectionMemory } from '../../app/collections/collection-memory.ts';
import { createDownloadedSegments } from '../../app/collections/downloaded-segments.ts';
import { browserRandom } from '../../app/compose/browser-ports.ts';
import { createConfigured } from '../../app/compose/create-configured.ts';
import { openSessionContext, type OpenSessionContext } from '../../app/compose/open-session-context.ts';
import { systemClock } from '../../app/db/clock.ts';
import { openPublicDb, type CollectionDb } from '../../app/db/person-db.ts';
import { watchRows } from '../../app/db/use-rows.ts';
import { createFindJobs, type FeedJob } from '../../app/features/jobs/filter-jobs.ts';
import { resetFilters } from '../../app/features/jobs/job-filters.ts';
import { createReferenceLists, type ReferenceLists } from '../../app/lib/reference-lists.ts';
import { createAuthClient } from '../../app/session/auth-client.ts';
import { createAuthStorage } from '../../app/session/auth-storage.ts';
import { createSession } from '../../app/session/create-session.ts';
import { openDeviceDb } from '../../app/session/device-db.ts';
import { fetchWithTimeout } from '../../app/session/fetch-with-timeout.ts';
import { createId } from '../../shared/lib/id.ts';

/*
 * The engine by itself, in a page of the product's origin that has nothing else: what `createApp` composes for a signed
 * in person, without screens. Never part of the product's build.
 */

/** Composes the engine as the page does, and resolves with it once a person is signed in here. */
async function open(credentials?: { email: string; password: string }): Promise<void> {
  const clock = systemClock;
  const fetch = window.fetch.bind(window);
  const log = () => undefined;
  const deviceDb = openDeviceDb();
  const publicDb = openPublicDb();
  const downloaded = createDownloadedSegments();
  const configured = createConfigured({ fetch: fetchWithTimeout(fetch), db: deviceDb, clock, log });
  configured.wait().catch(() => undefined);
  const storage = createAuthStorage(deviceDb, clock);
  const session = createSession({
    db: deviceDb,
    clock,
    storage,
    openAuth: async () => createAuthClient({ config: await configured.wait(), storage, fetch, isPage: true }),
    wipeStorage: async () => 'gone',
    homeUrl: window.location.origin,
    log,
  });
  if (credentials !== undefined) await session.signIn(credentials.email, credentials.password);
  const userId = await new Promise<string>((resolve) => {
    const look = () => {
      const state = session.state.current();
      if (state.kind === 'signed-in') resolve(state.person.userId);
    };
    session.state.subscribe(look);
    look();
  });
  const reference = openCollectionMemory({ db: publicDb, collection: 'reference', downloaded });
  const context = openSessionContext({
    userId,
    config: await configured.wait(),
    session,
    deviceDb,
    publicDb,
    clock,
    downloaded,
    fetch,
    onFeedDenied: async () => undefined,
    onEvent: () => undefined,
    log,
  });
  let lists: { of: unknown; is: ReferenceLists } | undefined;
  const referenceLists = () => {
    const { rows } = reference.current();
    if (lists?.of !== rows) lists = { of: rows, is: createReferenceLists(rows) };
    return lists.is;
  };
  Object.assign(window.engine, { context, publicDb, reference, referenceLists });
}

/** What Find Jobs shows of all jobs, the newest first, kept up as its hooks keep it: only what has changed is done. */
function watchList(context: OpenSessionContext): EngineList {
  const findJobs = createFindJobs();
  const tradieId = () => context.db.rows.shown.users.get(context.userId)?.tradieId ?? null;
  const interests = watchRows(
    context.db.rows,
    ['interests'],
    (rows) => new Set([...rows.interests.values()].flatMap((row) => (row.tradieId === tradieId() ? [row.jobId] : []))),
  );
  const marks = watchRows(
    context.db.rows,
    ['marks'],
    (rows) => new Set([...rows.marks.values()].flatMap((row) => (row.hiddenAt === null ? [] : [row.jobId]))),
  );
  const noTowns = new Set<string>();
  const regionOf = (id: string) => window.engine.referenceLists().place(id)?.region;
  return {
    current: () => {
      const [interestedIn, hidden] = [interests.current(), marks.current()];
      if (interestedIn.state !== 'ready' || hidden.state !== 'ready') return [];
      const own = { interestedIn: interestedIn.value, hidden: hidden.value, shortlisted: noTowns, regionOf };
      return findJobs(context.feed.current().rows, resetFilters, own);
    },
    subscribe: (hear) => {
      const stops = [context.feed.subscribe(hear), interests.subscribe(hear), marks.subscribe(hear)];
      return () => stops.forEach((stop) => stop());
    },
  };
}

export interface EngineList {
  current(): readonly FeedJob[];
  subscribe(hear: () => void): () => void;
}

/** The engine in this page; `context` and what follows after `open`. */
export interface EnginePage {
  open(credentials?: { email: string; password: string }): Promise<void>;
  newId(): string;
  watchList: typeof watchList;
  watchRows: typeof watchRows;
  createFindJobs: typeof createFindJobs;
  resetFilters: typeof resetFilters;
  context: OpenSessionContext;
  publicDb: CollectionDb;
  reference: ReturnType<typeof openCollectionMemory<'reference'>>;
  referenceLists(): ReferenceLists;
}

declare global {
  interface Window {
    engine: EnginePage;
  }
}

window.engine = {
  open,
  newId: () => createId(systemClock.now(), browserRandom),
  watchList,
  watchRows,
  createFindJobs,
  resetFilters,
} as EnginePage;
