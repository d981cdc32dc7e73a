import { randomUUID } from 'node:crypto';
import { createId } from '../../shared/lib/id.ts';
import type { SeededRandom } from '../../shared/testing/random-source.ts';
import type { Entry, Row, StressDevice } from './device.ts';

export interface OpenJobs {
  /** Jobs that stay open, for tradies to answer. */
  readonly open: { id: string; ownerId: string }[];
}

interface OwnJob {
  id: string;
  description: string;
  isClosed: boolean;
  staysOpen: boolean;
  isOnBoard: boolean;
  posting: Entry;
}

/** What one person does, tap by tap. Each text is a mark that is found nowhere else. */
export interface Person {
  tap(): void;
}

const at = () => new Date().toISOString();
const where = { locationId: 'southland/winton', categoryId: 'spouting', urgency: 'soon' };

/**
 * A homeowner posts, edits and closes jobs of their own; every edit carries the values it saw, so that one that is
 * lost, doubled or out of order is rejected as stale, which the checker reports.
 */
export function createHomeowner(device: StressDevice, random: SeededRandom, board: OpenJobs): Person {
  const own: OwnJob[] = [];

  function post(): void {
    const id = createId(Date.now(), { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) });
    const uid = randomUUID();
    const description = `first ${uid}`;
    const posting = device.do({
      sent: { uid, name: 'job.post', args: { id, title: uid, description, ...where }, at: at() },
      expected: 'applied',
      mark: uid,
      place: uid,
      isHere: () => device.rows('jobs').get(id)?.['title'] === uid,
    });
    own.push({ id, description, isClosed: false, staysOpen: random.next() < 0.3, isOnBoard: false, posting });
  }

  /** Others learn of a job once it is certain to exist. */
  function tell(job: OwnJob): void {
    if (!job.staysOpen || job.isOnBoard || job.posting.told === undefined) return;
    job.isOnBoard = true;
    board.open.push({ id: job.id, ownerId: device.userId });
  }

  function edit(job: OwnJob): void {
    const uid = randomUUID();
    const base = { description: job.description };
    const expected = job.isClosed ? 'refused' : 'applied';
    if (!job.isClosed) job.description = uid;
    const began = device.journal.length;
    // A later edit of the same answer may have replaced it.
    const isHere = () =>
      device.journal.slice(began).some(({ mark }) => mark === device.rows('jobs').get(job.id)?.['description']);
    device.do({
      sent: { uid, name: 'job.edit', args: { id: job.id, set: { description: uid }, base }, at: at() },
      expected,
      mark: uid,
      place: `${job.id} description`,
      isHere,
    });
  }

  function close(job: OwnJob): void {
    job.isClosed = true;
    device.do({
      sent: { uid: randomUUID(), name: 'job.close', args: { id: job.id }, at: at() },
      expected: 'applied',
      mark: `closed ${job.id}`,
      place: `closed ${job.id}`,
      isHere: () => device.rows('jobs').get(job.id)?.['status'] === 'closed',
    });
  }

  return {
    tap() {
      const job = own.length === 0 ? undefined : random.pick(own);
      if (job !== undefined) tell(job);
      const chance = random.next();
      if (job === undefined || chance < 0.35) post();
      else if (chance < 0.9 || job.staysOpen || job.isClosed) edit(job);
      else close(job);
    },
  };
}

/**
 * A tradie answers jobs from the noticeboard, each at most once from this device; where there is none yet, nothing is
 * done.
 */
export function createTradie(device: StressDevice, random: SeededRandom, board: OpenJobs): Person {
  const answered = new Set<string>();
  return {
    tap() {
      const job = board.open.length === 0 ? undefined : random.pick(board.open);
      if (job === undefined || answered.has(job.id)) return;
      answered.add(job.id);
      const isHere = () =>
        [...device.rows('interests').values()].some(
          (row: Row) => row['jobId'] === job.id && row['userId'] === device.userId,
        );
      const args = {
        id: createId(Date.now(), { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) }),
        jobId: job.id,
        note: 'I can come.',
      };
      const mark = `interest ${job.id} ${device.userId}`;
      device.do({
        sent: { uid: randomUUID(), name: 'interest.express', args, at: at() },
        expected: 'applied',
        mark,
        place: mark,
        isHere,
      });
    },
  };
}
