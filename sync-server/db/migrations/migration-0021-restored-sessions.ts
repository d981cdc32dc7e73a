import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  `alter table embedded.sessions drop constraint sessions_method_check`,
  `alter table embedded.sessions add constraint sessions_method_check check (method in ('password', 'otp', 'restored'))`,
];

/** A session of an account that its device brought back is no recent sign-in. */
export class RestoredSessions extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
