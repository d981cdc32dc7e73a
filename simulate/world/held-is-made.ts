import type { HeldChange, Made } from '../../app/held/held-changes.ts';
import { heldBegins } from '../../app/sync/mutate.ts';
import type { Checker } from '../checker/checker.ts';
import type { Tab } from '../device/device.ts';
import type { Counters } from './counters.ts';

export const uidOf = ({ key }: Pick<HeldChange, 'key'>): string => key.slice(heldBegins.length);

/** A tab was told what became of what is held. */
export function heldIsMade(
  { checker, counters }: { checker: Checker; counters: Counters },
  tab: Tab,
  made: Made,
): void {
  const group = checker.groupOf(tab.device, tab.userId);
  const uid = uidOf(made);
  if ('error' in made) {
    group.held.delete(uid);
    counters.count('held: could not be made');
  } else if (group.made.has(uid)) {
    counters.count('held: made');
    // A change that was undone in that moment, or went with the disk, is not made.
    checker.acknowledged(tab, uid);
  }
}
