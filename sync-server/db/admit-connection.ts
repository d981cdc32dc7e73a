import type { ClientBase } from 'pg';
import type { TimelineFence, TimelineSeen } from './timeline-fence.ts';

const question = (more = '') =>
  `select lineage::text as timeline${more}, (select array_agg(previous::text) from sync_timeline where previous <> sync_meta.lineage) as ended from sync_meta`;

/**
 * The second is for a database that has not been migrated to `later_version` yet, such as a former primary: it may have
 * ended all the same.
 */
const questions = [question(', later_version is not null as "isSuperseded"'), question()];

/** PostgreSQL's "no such table" and "no such column". */
const notYet = ['42P01', '42703'];

/** What a connection's database says of its timeline; undefined where it has no tables of timelines yet. */
async function readTimelineSeen(client: Pick<ClientBase, 'query'>): Promise<TimelineSeen | undefined> {
  for (const text of questions) {
    try {
      const { rows } = await client.query<TimelineSeen & { ended: string[] | null }>(text);
      const [row] = rows;
      return row && { ...row, ended: row.ended ?? [] };
    } catch (error) {
      if (!notYet.includes(String((error as { code?: unknown }).code))) throw error;
    }
  }
  return undefined;
}

/**
 * Checks a new connection against the timelines that have ended. `mayBeSuperseded`: for the operator's commands, which
 * decide just that. What was read before another connection saw a new timeline is older than the fence, and is read
 * again.
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
