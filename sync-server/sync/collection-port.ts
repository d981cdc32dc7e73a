import type { Actor } from '../../shared/actor.ts';
import type { Delta, ExchangeRequest } from '../../shared/protocol/exchange.ts';
import type { CollectionReads } from '../store/collection-tables.ts';

export interface CollectionQuestion {
  /**
   * The snapshot in which the private tables were read; the collections are read in the same one, so that no answer
   * splits a commit (I9).
   */
  tx: CollectionReads;
  actor: Actor;
  /** The version the device has of each collection it wants: null for none yet, absent for not wanted. */
  asked: ExchangeRequest['shelves'];
  /** The timeline of each of those versions; an older app names none. */
  timelines?: ExchangeRequest['timelines'];
  /** The request's, of a collection that is held in part. */
  regions?: ExchangeRequest['regions'];
  position: CollectionPosition;
  /** The request's cookie is of this timeline, and the person has been here before in it. */
  isCookieCurrent: boolean;
  /** ISO instant, for whether the subscription still runs. */
  now: string;
}

/** The database's position in the snapshot. */
export interface CollectionPosition {
  /** Commit version: everything at or below it is in it. */
  head: string;
  timeline: string;
  /** No version below it is certain to be of this timeline (S5). */
  tombstoneFloor: string;
}

/** The collections' part of an exchange (P9). Called on the last page of an answer only. */
export interface CollectionPort {
  answer(question: CollectionQuestion): Promise<Delta['shelves']>;
}
