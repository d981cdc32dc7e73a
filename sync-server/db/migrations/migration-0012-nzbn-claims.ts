import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  `create table nzbn_claim (
     nzbn text primary key,
     -- Whose payment page may be open under the number, and since when.
     claimed_by uuid references users (id) on delete set null,
     claimed_at timestamptz,
     -- Whose business subscribed last under the number.
     holder_id uuid references users (id) on delete set null,
     -- The number has had its trial.
     has_subscribed boolean not null default false
   )`,
  `create index nzbn_claim_claimed_by on nzbn_claim (claimed_by)`,
  `create index nzbn_claim_holder_id on nzbn_claim (holder_id)`,
  `create index tradies_nzbn on tradies (nzbn)`,
  `create index billing_checkout_nzbn on billing_checkout ((tradie_data ->> 'nzbn')) where state <> 'paid'`,
  // Of several businesses with one number the oldest live one holds it. The others stay as they are; the operator is
  // told of them.
  `insert into nzbn_claim (nzbn, holder_id, has_subscribed)
   select distinct on (t.nzbn) t.nzbn, t.user_id, true from tradies t join users u on u.id = t.user_id where t.nzbn <> ''
   order by t.nzbn, coalesce(u.subscription_status not in ('canceled', 'incomplete_expired'), false) desc, t.created_at, t.id`,
  // A hosted project answers SQL over HTTP to any caller with its public key; see migration 0001.
  `alter table nzbn_claim enable row level security`,
];

/** One live business and one trial for each New Zealand business number. */
export class NzbnClaims extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
