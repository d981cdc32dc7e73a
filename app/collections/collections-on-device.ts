import { Dexie } from 'dexie';
import { minute } from '../../shared/lib/durations.ts';
import type { Delta } from '../../shared/protocol/exchange.ts';
import type { Manifest } from '../../shared/protocol/segment.ts';
import type { PrivateTableName } from '../../shared/tables/index.ts';
import {
  collectionNames,
  collectionOfTable,
  collections,
  widenCollectionRow,
  type CollectionName,
} from '../../shared/tables/collections.ts';
import type { Clock } from '../db/clock.ts';
import { received, type CollectionDb, type CollectionState } from '../db/person-db.ts';
import { createDownloadLoop } from './download-loop.ts';
import type { DownloadPorts } from './download-segments.ts';
import { findInCollection } from './find-in-collection.ts';
import { createKeptQuestion, type Position, type ReadQuestion } from './kept-question.ts';
import { forgetVersions } from './forget-versions.ts';
import { heldRegions, regionsKey } from './held-regions.ts';
import { readWantedRegions } from './wanted-regions.ts';
import { wantedManifest } from './missing-segments.ts';
import {
  readLastRegion,
  readOwnPlaces,
  readPerson,
  readPlacesOnServer,
  readTownList,
  withRegionNear,
  type OwnPlaces,
} from './own-places.ts';
import { readFenceFailure, type Fence } from '../sync/fence.ts';
import type { CollectionsPort, CollectionsQuestion } from '../sync/ports.ts';
import { dbOf, positionKeyOf, stateOf } from './collection-dbs.ts';
import { applyCollectionAnswer, isWithoutRows, type ApplyOptions } from './apply-collection-answer.ts';

type Row = { id: string } & Record<string, unknown>;

export interface CollectionsPorts extends DownloadPorts {
  /** Whose subscription opens the feed; absent while no person is signed in. */
  userId?: string;
  clock: Clock;
  /** A number between 0 and 1, for the back-off. */
  chance(): number;
  /** `GET /api/sync/shelves/{name}`, for visitors who are signed out. Rejects where no answer came. */
  fetchManifest(collection: CollectionName, signal: AbortSignal): Promise<Manifest>;
  /** The right to the feed is gone: its cached photos go too. */
  onDenied(collection: CollectionName): Promise<void>;
}

export interface CollectionsOnDevice {
  /** The engine's port: what to ask, applying the answer, and one row of a private table that is in a collection. */
  asked(): Promise<CollectionsQuestion>;
  apply(answers: Delta['shelves'], asked: CollectionsQuestion, fence: Fence, at?: string): Promise<void>;
  forgetVersions(asked: CollectionsQuestion): Promise<void>;
  standingAt: NonNullable<CollectionsPort['standingAt']>;
  hasMoreToAsk(asked: CollectionsQuestion): Promise<boolean>;
  find(table: PrivateTableName, id: string): Promise<Row | undefined>;
  /**
   * Fetches a newer manifest of a public collection without an exchange, for visitors who are signed out. Rejects where
   * no answer came.
   */
  refreshPublic(collection: CollectionName): Promise<void>;
  /** Continues a download that was broken off. Harmless at any time. */
  resume(): void;
  /** Resolves when no download is running; one that waits for its next try does not count. */
  settled(): Promise<void>;
  stop(): void;
}

/**
 * Past this many changed rows a collection asks for segments again, so that starting stays quick; but the server may
 * have none newer.
 */
const maxChangedRows = 4_000;
const askAgainAfterMs = 10 * minute;

export function createCollections(ports: CollectionsPorts): CollectionsOnDevice {
  const { dbs, clock } = ports;
  const stopping = new AbortController();
  const downloads = createDownloadLoop(ports, stopping.signal);
  const askedForSegmentsAt = new Map<CollectionName, number>();
  /** The places that the last list of segments was asked for with, and those of each question. */
  let placesInOrder: OwnPlaces | undefined;
  const placesOf = new WeakMap<CollectionsQuestion, OwnPlaces>();
  /** Their answer came too late for the position of today. */
  const unanswered = new Set<CollectionName>();
  const keptQuestion = createKeptQuestion(dbs, () => ports.onlyNear?.() ?? false);

  /**
   * Only some regions are here, to save data or because all would be too much, and the person works in others now, or
   * asks for one, or a town may be in another.
   */
  function haveMoved(state: CollectionState, places: OwnPlaces | undefined): boolean {
    const manifest = wantedManifest(state);
    const areCorrected = placesInOrder !== undefined && places?.towns !== placesInOrder.towns;
    const hasOthers = (of: keyof OwnPlaces) => areCorrected || places?.[of] !== placesInOrder?.[of];
    if (manifest?.regions !== undefined) return hasOthers('held');
    return hasOthers('near') && (ports.onlyNear?.() ?? false) && manifest?.near !== undefined;
  }

  async function ownPlaces(): Promise<OwnPlaces | undefined> {
    const { userId } = ports;
    if (dbs.personDb === undefined || userId === undefined) return undefined;
    const places = await readOwnPlaces(dbs.personDb, userId, await readTownList(dbs.publicDb));
    // The first list of towns came from the server that had made the manifest.
    if (placesInOrder?.towns === '') placesInOrder = { ...placesInOrder, towns: places.towns };
    return places;
  }

  /**
   * Those that the server made a manifest with; undefined where what waits here names others, which are to be asked for
   * once it is decided.
   */
  async function placesOfAnswer(question: CollectionsQuestion): Promise<OwnPlaces | undefined> {
    const places = placesOf.get(question) ?? (await ownPlaces());
    const { personDb } = dbs;
    const { userId } = ports;
    if (places === undefined || personDb === undefined || userId === undefined) return places;
    return places.own === (await readPlacesOnServer(personDb, userId)) ? places : undefined;
  }

  const wantedRegions = async () => (dbs.personDb === undefined ? [] : [...(await readWantedRegions(dbs.personDb))]);

  async function positions(): Promise<Position[]> {
    const found = await Promise.all(
      collectionNames.map(async (collection): Promise<Position | undefined> => {
        const db = dbOf(dbs, collection);
        if (db === undefined) return undefined;
        const state = await stateOf(db, collection);
        const isForMe =
          collections[collection].readers === 'public' || state.version !== null || (await mayBeTradie(ports));
        return { collection, db, state, isWanted: isForMe && (state.version !== null || state.coming === null) };
      }),
    );
    return found.filter((one) => one !== undefined);
  }

  /**
   * The person's own collections are written only for the leader that asked, over the cookie of the same answer; public
   * ones have no leader.
   */
  function fenceOf(db: CollectionDb, fence: Fence): ApplyOptions['fence'] {
    const { personDb } = dbs;
    if (personDb === undefined || db !== personDb) return undefined;
    return {
      stores: ['meta', received],
      isFenced: async () => (await readFenceFailure(personDb, fence)) !== undefined,
    };
  }

  async function read(): Promise<ReadQuestion> {
    const question: CollectionsQuestion = { versions: {}, timelines: {}, marks: {} };
    const [places, all] = await Promise.all([ownPlaces(), positions()]);
    if (places !== undefined) placesOf.set(question, places);
    const isTime = (collection: CollectionName) =>
      Math.abs(clock.now() - (askedForSegmentsAt.get(collection) ?? -Infinity)) >= askAgainAfterMs;
    const long: CollectionName[] = [];
    await Promise.all(
      all.map(async ({ collection, db, state, isWanted: isAsked }) => {
        question.marks[collection] = positionKeyOf(state);
        if (!isAsked) return;
        // Not while newer ones are coming already, and not at every exchange: this is no question for changes.
        const isLong = state.coming === null && isTime(collection) && (await hasManyChangedRows(db, collection));
        if (isLong) long.push(collection);
        const version = isLong || haveMoved(state, places) ? null : state.version;
        question.versions[collection] = version;
        if (collection === 'feed')
          question.regions = version === null ? await wantedRegions() : [...heldRegions(state.manifest)];
        if (version !== null && typeof state.timeline === 'string') question.timelines[collection] = state.timeline;
      }),
    );
    return { question, positions: all, long };
  }

  return {
    asked: async () => {
      const { question, long } = await keptQuestion.read(read);
      for (const collection of long) askedForSegmentsAt.set(collection, clock.now());
      return question;
    },
    hasMoreToAsk: async ({ versions }) =>
      (await keptQuestion.read(read)).positions.some(
        ({ collection, state, isWanted: isAsked }) =>
          isAsked &&
          !state.denied &&
          (versions[collection] === undefined ||
            unanswered.has(collection) ||
            (versions[collection] === null && state.version !== null)),
      ),
    apply: async (given, question, fence, at = new Date(clock.now()).toISOString()) => {
      const { versions, timelines, marks } = question;
      let answers = given;
      keptQuestion.drop();
      if (given.feed !== undefined && 'manifest' in given.feed) {
        placesInOrder = await placesOfAnswer(question);
        answers = { ...given, feed: { manifest: withRegionNear(given.feed.manifest, await readLastRegion(dbs)) } };
      }
      const take = (names: readonly CollectionName[]) =>
        Promise.all(
          names.map(async (collection) => {
            const [answer, version, db] = [answers[collection], versions[collection], dbOf(dbs, collection)];
            if (answer === undefined || version === undefined || db === undefined) return;
            // Asked for in case they are a tradie; by now it is known that they are not: there is nothing to delete.
            if ('denied' in answer && version === null && !(await mayBeTradie(ports))) return;
            const asked = {
              version,
              timeline: timelines[collection] ?? null,
              mark: marks[collection] ?? '',
              regions: collection === 'feed' ? question.regions : [],
            };
            const taken = await applyCollectionAnswer(db, collection, answer, {
              asked,
              at,
              onlyNear: ports.onlyNear?.(),
              fence: fenceOf(db, fence),
            });
            if (taken === 'denied') await ports.onDenied(collection);
            if (taken === 'foreign') {
              unanswered.add(collection);
              // A late answer of changes says nothing of the order in which the segments are.
              if (collection === 'feed' && 'manifest' in answer) placesInOrder = undefined;
            } else unanswered.delete(collection);
            if (taken === 'foreign' || taken === 'fenced')
              ports.log(`shelf-${taken}`, `${collection} ${version ?? 'none'}`);
          }),
        );
      // What brings rows does not share the disk with what only moves on.
      const isMoved = (collection: CollectionName) => isWithoutRows(answers[collection]);
      try {
        await take(collectionNames.filter((collection) => !isMoved(collection)));
      } finally {
        await take(collectionNames.filter(isMoved));
      }
      keptQuestion.drop();
      downloads.resume();
    },
    standingAt: async (versions, timelines = {}, regions = []) => {
      const asked: CollectionsQuestion = { versions, timelines, regions, marks: {} };
      const stored = new Map((await positions()).map(({ collection, state }) => [collection, state]));
      for (const collection of collectionNames) {
        const state = stored.get(collection);
        if (state !== undefined) asked.marks[collection] = positionKeyOf(state);
        const version = versions[collection];
        if (version !== undefined && !isAt(state, version, timelines[collection])) return undefined;
        if (collection === 'feed' && regionsKey(heldRegions(state?.manifest)) !== regionsKey(regions)) return undefined;
      }
      return asked;
    },
    forgetVersions: ({ marks }) => forgetVersions(dbs, marks),
    find: async (table, id) => {
      const collection = collectionOfTable(table);
      const db = collection === undefined ? undefined : dbOf(dbs, collection);
      // The directory's rows are a public copy without contacts; no private row is ever written from them.
      if (collection === undefined || db === undefined || collections[collection].readers === 'public')
        return undefined;
      const row = await findInCollection(db, collection, id);
      return row === undefined ? undefined : (widenCollectionRow(collection, row) as Row);
    },
    refreshPublic: async (collection) => {
      const mark = positionKeyOf(await stateOf(dbs.publicDb, collection));
      const manifest = await ports.fetchManifest(collection, stopping.signal);
      const taking = { asked: { version: null, timeline: null, mark }, at: new Date(clock.now()).toISOString() };
      // Another tab was quicker, or an older manifest was under way: the stored state is used.
      if ((await applyCollectionAnswer(dbs.publicDb, collection, { manifest }, taking)) === 'foreign')
        ports.log('shelf-foreign', `${collection} public`);
      downloads.resume();
    },
    resume: downloads.resume,
    settled: downloads.settled,
    stop: () => {
      keptQuestion.stop();
      stopping.abort();
    },
  };
}

const isAt = (state: CollectionState | undefined, version: string | null, timeline: string | undefined) =>
  state !== undefined && !state.denied && state.version === version && (state.timeline ?? undefined) === timeline;

/**
 * A person of whom nothing is known yet may be a tradie: asking costs a few bytes, and asking only at the next exchange
 * a round trip.
 */
async function mayBeTradie({ dbs, userId }: CollectionsPorts): Promise<boolean> {
  const person =
    userId === undefined || dbs.personDb === undefined ? undefined : await readPerson(dbs.personDb, userId);
  return person === undefined ? userId !== undefined : person.tradieId !== null;
}

async function hasManyChangedRows(db: CollectionDb, collection: CollectionName): Promise<boolean> {
  return (
    (await db.fresh.where('[shelf+id]').between([collection, Dexie.minKey], [collection, Dexie.maxKey]).count()) >
    maxChangedRows
  );
}
