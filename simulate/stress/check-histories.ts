import { sql as rawSql } from 'kysely';
import type { Sql } from '../../sync-server/db/database.ts';
import { readHistory } from './audit.ts';
import type { StressDevice } from './device.ts';

/**
 * Compares, once all is quiet, the devices' histories with the database's own history (I1, I2, I3, I4, I6). Returns one
 * line a fault; none where all is well. Reads the tables directly, without the code that is tested.
 */
export async function checkHistories(sql: Sql, devices: readonly StressDevice[]): Promise<string[]> {
  const faults = devices.flatMap(({ faults: seen }) => seen);
  const history = await readHistory(sql);
  const wanted = new Set<string>();
  for (const { journal } of devices) {
    // An edit builds on the one before it, so one that is missing in between shows: what follows it is rejected as
    // stale.
    const last = new Map(journal.filter(({ expected }) => expected === 'applied').map((entry) => [entry.place, entry]));
    for (const entry of journal) {
      const {
        sent: { uid, name },
        expected,
        mark,
        told,
        place,
      } = entry;
      const times = history.get(mark) ?? 0;
      wanted.add(mark);
      if (told === undefined) faults.push(`lost: ${name} ${uid} was never decided (I3)`);
      else if (told.status !== expected)
        faults.push(
          `${name} ${uid} was ${told.status} (${told.code ?? ''}), and should be ${expected}: lost, doubled or out of order (I1, I2)`,
        );
      if (last.get(place) === entry && times === 0) faults.push(`lost: ${name} ${uid} is not in the book (I3)`);
      if (times > 1) faults.push(`doubled: ${name} ${uid} is ${times} times in the book (I1)`);
      if (expected === 'refused' && times > 0) faults.push(`${name} ${uid} was written although refused`);
    }
  }
  for (const mark of history.keys()) if (!wanted.has(mark)) faults.push(`not asked for: ${mark}`);
  return [...faults, ...(await miscounted(sql)), ...(await misplaced(sql)), ...(await diverged(sql, devices))];
}

/** A count kept beside the rows it counts shows a doubled effect that leaves no second row. */
async function miscounted(sql: Sql): Promise<string[]> {
  const { rows } = await rawSql<{
    id: string;
  }>`select id from jobs j where interest_count <> (select count(*) from interests i where i.job_id = j.id)`.execute(
    sql,
  );
  return rows.map(({ id }) => `the interest count of ${id} is wrong (I1)`);
}

/** One mail for each interest, recorded with it. */
async function misplaced(sql: Sql): Promise<string[]> {
  const { rows } = await rawSql<{
    id: string;
  }>`select i.id from interests i where (select count(*) from effect e where e.key = 'interest.mail:' || i.id) <> 1`.execute(
    sql,
  );
  return rows.map(({ id }) => `the mail of interest ${id} is not there exactly once (I1)`);
}

const described = (rows: Iterable<readonly string[]>) => [...rows].map((parts) => parts.join(' | ')).toSorted();

/** Every device holds what its person may see, no more and no less (I4, I8). */
async function diverged(sql: Sql, devices: readonly StressDevice[]): Promise<string[]> {
  const faults: string[] = [];
  for (const device of devices) {
    const { rows: jobs } = await rawSql<{
      id: string;
      description: string;
      status: string;
      n: number;
    }>`select id, description, status, interest_count as n from jobs j
      where user_id = ${device.userId} or exists (select 1 from interests i where i.job_id = j.id and i.user_id = ${device.userId})`.execute(
      sql,
    );
    const { rows: interests } = await rawSql<{
      id: string;
    }>`select id from interests where user_id = ${device.userId} or owner_id = ${device.userId}`.execute(sql);
    const truth = described([
      ...jobs.map(({ id, description, status, n }) => [id, description, status, String(n)]),
      ...interests.map(({ id }) => [id]),
    ]);
    const here = described([
      ...[...device.rows('jobs').values()].map((row) => [
        row.id,
        String(row['description']),
        String(row['status']),
        String(row['interestCount']),
      ]),
      ...[...device.rows('interests').keys()].map((id) => [id]),
    ]);
    const missing = truth.filter((line) => !here.includes(line));
    const odd = here.filter((line) => !truth.includes(line));
    if (missing.length + odd.length > 0)
      faults.push(
        `a device of ${device.userId} misses ${missing.length} rows and has ${odd.length} it should not have (I4): ${[...missing, ...odd].slice(0, 3).join('; ')}`,
      );
  }
  return faults;
}
