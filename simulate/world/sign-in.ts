import type { Page } from '../device/device.ts';
import type { Checker } from '../checker/checker.ts';
import type { Counters } from './counters.ts';

/** A person signs in with their password; where it fails they may try again. */
export function signIn(
  { checker, counters }: { checker: Checker; counters: Counters },
  page: Page,
  userId: string,
): void {
  checker.comes(page.device, userId);
  page.signIn(userId).then(
    () => checker.came(page.device, userId),
    () => counters.count('could not sign in'),
  );
}
