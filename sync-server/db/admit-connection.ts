import type { ClientBase } from 'pg';
import { readTimelineSeen } from './read-timeline-seen.ts';
import type { TimelineFence } from './timeline-fence.ts';

/**
 * Checks a new connection against the timelines that have ended. `mayBeSuperseded`: for the operator's commands, which decide just that.
 * What was read before another connection saw a new timeline is older than the fence, and is read again.
 * @throws TimelineEnded
 */
export async function admitConnection(
  fence: Pick<TimelineFence, 'generation' | 'check'>,
  client: Pick<ClientBase, 'query'>,
  mayBeSuperseded = false,
): Promise<void> {
  for (;;) {
    const generation = fence.generation();
    const seen = await readTimelineSeen(client);
    if (seen === undefined) return;
    try {
      return fence.check(mayBeSuperseded ? { ...seen, isSuperseded: false } : seen);
    } catch (error) {
      if (fence.generation() === generation) throw error;
    }
  }
}
