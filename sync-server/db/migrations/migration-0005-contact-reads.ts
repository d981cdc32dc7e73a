import { Migration } from '@mikro-orm/migrations';

/** Who read whose contact details, by day; never the details themselves. */
export class ContactReads extends Migration {
  override up(): void {
    this.addSql(`create table contact_read (
      reader_id uuid not null,
      tradie_id uuid not null,
      day date not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      reads integer not null,
      primary key (reader_id, tradie_id, day)
    )`);
    // A hosted database hands out every table it does not close.
    this.addSql('alter table contact_read enable row level security');
    this.addSql('create index contact_read_recent on contact_read (reader_id, last_at)');
  }
}
