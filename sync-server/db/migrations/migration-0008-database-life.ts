import { Migration } from '@mikro-orm/migrations';

/** Which database this was when a server last started on it: a restored one is another. */
export class DatabaseLife extends Migration {
  override up(): void {
    this.addSql('alter table sync_meta add column life text');
  }
}
