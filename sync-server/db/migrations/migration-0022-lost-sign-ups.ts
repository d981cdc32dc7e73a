import { Migration } from '@mikro-orm/migrations';

/** Who opens the link of a sign-up without a password is told why: it was lost by a restore, or contested. */
export class LostSignUps extends Migration {
  override up(): void {
    this.addSql(`alter table embedded.sign_ups add column is_lost boolean not null default false`);
  }
}
