import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  `alter table interests add column owner_note text, add column seen_at timestamptz, add column is_seen boolean not null default false`,
  // Every row that is written says it; the default was for those that were there.
  `alter table interests alter column is_seen drop default`,
  `create table marks (
     id uuid primary key,
     user_id uuid not null references users (id),
     job_id uuid not null references jobs (id) on delete cascade,
     title text not null,
     hidden_at timestamptz,
     shortlisted_at timestamptz,
     remind_at timestamptz,
     unique (user_id, job_id)
   )`,
  `create index marks_job_id on marks (job_id)`,
  `create table searches (
     id uuid primary key,
     user_id uuid not null references users (id),
     name text not null,
     category_ids text[] not null,
     region text,
     location_id text,
     within_km integer,
     max_budget integer,
     urgencies text[] not null,
     words text not null,
     looked_until timestamptz,
     created_at timestamptz not null,
     removed_at timestamptz
   )`,
  `create index searches_user_id on searches (user_id)`,
  `create table preferences (
     id uuid primary key,
     user_id uuid not null unique references users (id),
     tells_seen boolean not null,
     prepared_notes text[] not null,
     search_order text[] not null
   )`,
  ...['marks', 'searches', 'preferences'].map((table) => `alter table ${table} enable row level security`),
];

/** What a person notes for themself: marks on jobs, saved searches, preferences; and what became of an interest. */
export class Marks extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
