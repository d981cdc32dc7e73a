import { createId } from '../../shared/lib/id.ts';
import type { Clock } from '../db/clock.ts';
import { createDraftSlots, type DraftSlots } from '../db/draft-slots.ts';
import type { PersonDb } from '../db/person-db.ts';
import { tabSlots } from '../lib/last-typed-draft.ts';
import { browserRandom } from './browser-ports.ts';

/** The drafts of one person in this tab. */
export const browserDrafts = (db: PersonDb, userId: string, clock: Clock): DraftSlots =>
  createDraftSlots({
    db,
    clock,
    locks: navigator.locks,
    newId: () => createId(clock.now(), browserRandom),
    tab: tabSlots(sessionStorage, userId),
  });
