import { Migration } from '@mikro-orm/migrations';

/** What people see. Columns: shared/tables. */
const privateTables: readonly string[] = [
  `create table users (
     id uuid primary key,
     email text not null,
     first_name text not null,
     last_name text not null,
     tradie_id uuid unique,
     subscription_status text,
     subscription_valid_until timestamptz,
     created_at timestamptz not null
   )`,
  `create table tradies (
     id uuid primary key,
     user_id uuid not null unique references users (id),
     business_name text not null,
     nzbn text not null,
     is_verified boolean not null,
     logo text not null,
     description text not null,
     category_ids text[] not null,
     contact_person_first_name text not null,
     contact_person_last_name text not null,
     business_address text not null,
     email text not null,
     contact_phone text,
     location_id text,
     created_at timestamptz not null
   )`,
  // The two point at each other. Immediate, because a foreign key checked at COMMIT would wait for rows while it holds
  // the commit lock; deferrable, so that a bulk load may say otherwise.
  `alter table users add foreign key (tradie_id) references tradies (id) deferrable initially immediate`,
  `create table jobs (
     id uuid primary key,
     user_id uuid not null references users (id),
     title text not null,
     description text not null,
     location_id text,
     budget_min numeric(12, 2) check (budget_min >= 0),
     budget_max numeric(12, 2) check (budget_max >= 0),
     urgency text not null check (urgency in ('slow', 'soon', 'urgent')),
     category_id text not null,
     status text not null check (status in ('active', 'closed')),
     images text[] not null check (cardinality(images) <= 5),
     interest_count integer not null check (interest_count >= 0),
     address text,
     suburb text,
     created_at timestamptz not null,
     closed_at timestamptz
   )`,
  `create table interests (
     id uuid primary key,
     job_id uuid not null references jobs (id),
     tradie_id uuid not null references tradies (id),
     user_id uuid not null references users (id),
     owner_id uuid not null references users (id),
     note text not null,
     contacted_at timestamptz,
     created_at timestamptz not null,
     unique (job_id, tradie_id)
   )`,
  `create table reference (
     id text primary key,
     kind text not null check (kind in ('category', 'location')),
     name text not null,
     region text,
     created_at timestamptz not null
   )`,
  `create index tradies_created_at on tradies (created_at, id)`,
  `create index jobs_user_id on jobs (user_id, created_at)`,
  `create index jobs_status on jobs (status, created_at, id)`,
  `create index interests_tradie_id on interests (tradie_id)`,
  `create index interests_user_id on interests (user_id)`,
  `create index interests_owner_id on interests (owner_id)`,
];

/** What keeps them in step. Rules S1-S5: shared/protocol/SPEC.md. */
const engine: readonly string[] = [
  // Drawn under the commit lock only, so that versions become visible in their order. No cache: a cached range would
  // break that.
  `create sequence sync_version as bigint cache 1`,
  // The last change of each row there is or was: one line an entity, so it compacts itself.
  `create table sync_change (
     entity text not null,
     entity_id text collate "C" not null,
     audience uuid[] not null,
     shelf text,
     version bigint not null,
     deleted boolean not null,
     changed_at timestamptz not null,
     primary key (entity, entity_id)
   )`,
  // Without fastupdate, a read never has a pending list to walk.
  `create index sync_change_audience on sync_change using gin (audience) with (fastupdate = off)`,
  `create index sync_change_version on sync_change (version)`,
  `create index sync_change_shelf on sync_change (shelf, version) where shelf is not null`,
  `create index sync_change_tombstones on sync_change (changed_at) where deleted`,
  `create table sync_mutation (
     user_id uuid not null,
     uid uuid not null,
     name text not null,
     args_hash text not null,
     status text not null check (status in ('claimed', 'applied', 'refused', 'parked')),
     outcome jsonb,
     at timestamptz not null,
     primary key (user_id, uid)
   )`,
  `create index sync_mutation_at on sync_mutation (at)`,
  `create table sync_attempt (
     user_id uuid not null,
     uid uuid not null,
     attempts integer not null,
     first_at timestamptz not null,
     last_at timestamptz not null,
     last_error text not null,
     primary key (user_id, uid)
   )`,
  `create table sync_parked (
     user_id uuid not null,
     uid uuid not null,
     name text not null,
     args jsonb not null,
     error text not null,
     parked_at timestamptz not null,
     replayed_at timestamptz,
     primary key (user_id, uid)
   )`,
  `create table sync_meta (
     only_row boolean primary key default true check (only_row),
     lineage uuid not null default gen_random_uuid(),
     tombstone_floor bigint not null default 0,
     triggers_hash text
   )`,
  `insert into sync_meta default values`,
  // What is to follow a committed mutation (mail …): recorded in its transaction, done after it, with retry.
  `create table effect (
     id bigint generated always as identity primary key,
     mutation_uid uuid,
     user_id uuid,
     name text not null,
     payload jsonb not null,
     at timestamptz not null,
     due_at timestamptz not null,
     attempts integer not null default 0,
     last_error text,
     done_at timestamptz
   )`,
  `create index effect_due on effect (due_at) where done_at is null`,
];

const tables = [
  'users',
  'tradies',
  'jobs',
  'interests',
  'reference',
  'sync_change',
  'sync_mutation',
  'sync_attempt',
  'sync_parked',
  'sync_meta',
  'effect',
];

/*
 * A hosted project answers SQL over HTTP to any caller with its public key. Row security without a policy shows those
 * callers nothing; the owner, which is how this server connects, is not held by it.
 */
const closed = tables.map((table) => `alter table ${table} enable row level security`);

/** The synced tables, and the engine's own. The triggers are generated: sync-triggers.ts. */
export class SyncedTables extends Migration {
  override up(): void {
    for (const statement of [...privateTables, ...engine, ...closed]) this.addSql(statement);
  }
}
