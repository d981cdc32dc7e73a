import type { Interest } from '../../shared/tables/index.ts';
import { formatTimeOrDay } from './dates.ts';

/** What became of an interest that the server has: `Sent 8:13 pm`, `Sent 8:13 pm · Seen by the homeowner`. */
export function interestStatus({ createdAt, isSeen }: Pick<Interest, 'createdAt' | 'isSeen'>, now: string): string {
  return `Sent ${formatTimeOrDay(createdAt, now)}${isSeen ? ' · Seen by the homeowner' : ''}`;
}
