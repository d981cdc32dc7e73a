import type { Page } from '../device/device.ts';
import type { Judge } from '../judge/judge.ts';
import type { Counters } from './counters.ts';

/** Somebody signs in with their password; what they are told where it fails is theirs to try again. */
export function comeIn({ judge, counters }: { judge: Judge; counters: Counters }, page: Page, userId: string): void {
  judge.comes(page.device, userId);
  page.signIn(userId).then(
    () => judge.came(page.device, userId),
    () => counters.count('could not sign in'),
  );
}
