import { Dexie, RangeSet } from 'dexie';

/**
 * Asks every live query of this person's tabs again. Tabs tell each other what they wrote, but a tab that the browser
 * kept asleep may have missed the event, and would show stale rows until something else changes.
 */
export function refreshLiveQueries(): void {
  Dexie.on.storagemutated.fire({ all: new RangeSet(-Infinity, [[]]) });
}
