import { Migration } from '@mikro-orm/migrations';

/**
 * Counters that all instances share. Unlogged: after a crash every count begins anew, and no write of them waits for
 * the disk.
 */
const statements: readonly string[] = [
  `create unlogged table rate_limit (key text primary key, full_at timestamptz not null)`,
  `alter table rate_limit enable row level security`,
];

export class RateLimit extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
