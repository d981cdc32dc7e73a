import { Dexie } from 'dexie';
import { StorageFull } from '../../app/db/storage-errors.ts';
import type { CompanionWrites } from '../../app/sync/mutate.ts';
import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import type { Tab } from '../device/device.ts';
import type { StepContext } from './step.ts';
import type { World } from './world.ts';

/**
 * Errors with which the storage, or the lack of a connection to it, answers: the person is shown that it was not saved.
 */
const isToldToThePerson = (error: unknown) =>
  error instanceof Dexie.DexieError || error instanceof DOMException || error instanceof StorageFull;

/** What the person is told where a tap came to nothing. */
export const tellWhyNot =
  ({ counters }: World) =>
  (error: unknown): void => {
    if (error instanceof Rejection) counters.count(`rejected on the device: ${error.code}`);
    else if (isToldToThePerson(error))
      counters.count(`told that it was not saved: ${error instanceof StorageFull ? 'no room' : 'storage failed'}`);
    else counters.count(`unforeseen: ${String(error)}`);
  };

/** The person taps; what the app shows is recorded when it is shown. */
export function tap<Name extends MutationName>(
  { world }: StepContext,
  tab: Tab,
  name: Name,
  args: ArgsOf<Name>,
  companions?: CompanionWrites,
): void {
  tab.sync.mutate(name, args, companions).then(({ uid }) => world.checker.acknowledged(tab, uid), tellWhyNot(world));
}
