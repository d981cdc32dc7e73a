import type { OutboxEntry } from '../db/person-db.ts';
import { words } from './common-words.ts';

export const businessLost = 'Your business was lost when our server was restored';

/**
 * Why it was not sent, where something answered. That nothing did is said once, of all that waits. `isBusinessLost`:
 * what is missing is its person's own, and no other phone brings it.
 */
export function whyNotSent({ name, lastError, restoring }: OutboxEntry, isBusinessLost = false): string | undefined {
  if (restoring !== undefined && isBusinessLost && name === 'interest.express')
    return `${businessLost}, and this needs it. Fill it in again: we keep trying for three days.`;
  if (restoring !== undefined && isBusinessLost && name === 'profile.edit')
    return `${businessLost}. Fill it in again, with what you had changed here.`;
  if (restoring !== undefined) return words.notBackYet;
  return lastError === null ? undefined : `${lastError} We keep trying.`;
}
