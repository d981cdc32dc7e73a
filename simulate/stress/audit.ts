import { sql as rawSql } from 'kysely';
import type { Sql } from '../../sync-server/db/database.ts';

/** A write as the database itself saw it, identified by the mark that each mutation leaves in a text of its row. */
export interface Seen {
  mark: string;
  times: number;
}

/**
 * Makes the database keep a history of its own, below everything that is tested: each write of a mark is a row, in the
 * transaction of the write. What was rolled back left no row; what was done twice left two.
 */
export async function recordHistory(sql: Sql): Promise<void> {
  await rawSql`create table stress_book (mark text not null)`.execute(sql);
  await rawSql`create function stress_note_job() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then insert into stress_book values (new.title); end if;
      if new.description not like 'first %' and (tg_op = 'INSERT' or new.description <> old.description) then insert into stress_book values (new.description); end if;
      if new.status = 'closed' and (tg_op = 'INSERT' or new.status <> old.status) then insert into stress_book values ('closed ' || new.id); end if;
      return null;
    end $$`.execute(sql);
  await rawSql`create function stress_note_interest() returns trigger language plpgsql as $$
    begin
      insert into stress_book values ('interest ' || new.job_id || ' ' || new.user_id);
      return null;
    end $$`.execute(sql);
  await rawSql`create trigger stress_book after insert or update on jobs for each row execute function stress_note_job()`.execute(
    sql,
  );
  await rawSql`create trigger stress_book after insert on interests for each row execute function stress_note_interest()`.execute(
    sql,
  );
}

export async function readHistory(sql: Sql): Promise<Map<string, number>> {
  const { rows } = await rawSql<Seen>`select mark, count(*)::int as times from stress_book group by mark`.execute(sql);
  return new Map(rows.map(({ mark, times }) => [mark, times]));
}

/** What the server has decided, by uid. */
export async function readDecided(sql: Sql, uids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await rawSql<{
    uid: string;
    status: string;
  }>`select uid, status from sync_mutation where uid = any(${[...uids]}::uuid[]) and outcome is not null`.execute(sql);
  return new Map(rows.map(({ uid, status }) => [uid, status]));
}
