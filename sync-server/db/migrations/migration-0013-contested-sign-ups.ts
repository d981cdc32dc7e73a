import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  // Where two gave different passwords for one address, it is not known which of them reads its mail: none of the
  // passwords is kept.
  `alter table embedded.sign_ups alter column password_hash drop not null`,
  `alter table embedded.users alter column password_hash drop not null`,
  `update embedded.sign_ups s set password_hash = null, user_metadata = '{}'
   where exists (select 1 from embedded.sign_ups o where o.email = s.email and o.password_hash <> s.password_hash)`,
];

/** Sign-ups whose password is disputed, and the accounts that come of them, have none until one is chosen. */
export class ContestedSignUps extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
