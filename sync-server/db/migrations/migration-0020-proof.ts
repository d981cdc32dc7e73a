import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  // Cookies are signed with it: a copy of the database has the same, so that it can tell a cookie of its own later life
  // from an invented one.
  `alter table sync_meta add column cookie_key uuid not null default gen_random_uuid()`,
  // Up to which version a later life of this database answered; null where none is known.
  `alter table sync_meta add column later_version bigint`,
];

/** How a database learns from devices that it was put back, or that a later one has taken its place. */
export class Proof extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
