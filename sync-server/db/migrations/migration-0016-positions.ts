import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  // Null for trade categories. The seed of the next start fills them in.
  `alter table reference
     add column latitude double precision,
     add column longitude double precision,
     add column is_approximate boolean`,
  // How a person is told of news. The defaults are for the rows that are there.
  `alter table preferences
     add column push_interests boolean not null default true,
     add column push_jobs boolean not null default true,
     add column mail_jobs text not null default 'daily' check (mail_jobs in ('off', 'daily', 'now')),
     add column quiet_from integer not null default 21,
     add column quiet_to integer not null default 7,
     add column alerts_per_day integer not null default 10`,
  `alter table preferences
     alter column push_interests drop default,
     alter column push_jobs drop default,
     alter column mail_jobs drop default,
     alter column quiet_from drop default,
     alter column quiet_to drop default,
     alter column alerts_per_day drop default`,
];

/** Where towns are, so that a phone can say how far away a job is; and how a person wants to be told of news. */
export class Positions extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
