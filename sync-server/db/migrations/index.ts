import type { Migration } from '@mikro-orm/migrations';
import { SyncedTables } from './migration-0001-synced-tables.ts';
import { EmbeddedTables } from './migration-0002-embedded.ts';
import { Shelves } from './migration-0003-shelves.ts';
import { Billing } from './migration-0004-billing.ts';
import { ContactReads } from './migration-0005-contact-reads.ts';
import { Effects } from './migration-0006-effects.ts';
import { Operate } from './migration-0007-operate.ts';
import { DatabaseLife } from './migration-0008-database-life.ts';
import { RateLimit } from './migration-0009-rate-limit.ts';
import { FilePaths } from './migration-0010-file-paths.ts';
import { SignIn } from './migration-0011-sign-in.ts';
import { NzbnClaims } from './migration-0012-nzbn-claims.ts';
import { ContestedSignUps } from './migration-0013-contested-sign-ups.ts';
import { Marks } from './migration-0014-marks.ts';
import { Alerts } from './migration-0015-alerts.ts';
import { Positions } from './migration-0016-positions.ts';
import { Timelines } from './migration-0017-timelines.ts';
import { Safe } from './migration-0019-safe.ts';
import { Proof } from './migration-0020-proof.ts';
import { RestoredSessions } from './migration-0021-restored-sessions.ts';
import { LostSignUps } from './migration-0022-lost-sign-ups.ts';
import { FeedRegions } from './migration-0023-feed-regions.ts';
import { Access } from './migration-0024-access.ts';
import { SentAgain } from './migration-0018-sent-again.ts';

export interface NamedMigration {
  /** Written to the database when applied, so it never changes afterwards. */
  name: string;
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
}

/**
 * Every migration there is, oldest first. Applied ones are never edited: a correction is a new line.
 * PGlite runs one statement a call, so each statement of a migration is an `addSql` of its own.
 */
export const migrations: NamedMigration[] = [
  { name: '0001-synced-tables', class: SyncedTables },
  { name: '0002-embedded', class: EmbeddedTables },
  { name: '0003-shelves', class: Shelves },
  { name: '0004-billing', class: Billing },
  { name: '0005-contact-reads', class: ContactReads },
  { name: '0006-effects', class: Effects },
  { name: '0007-operate', class: Operate },
  { name: '0008-database-life', class: DatabaseLife },
  { name: '0009-rate-limit', class: RateLimit },
  { name: '0010-file-paths', class: FilePaths },
  { name: '0011-sign-in', class: SignIn },
  { name: '0012-nzbn-claims', class: NzbnClaims },
  { name: '0013-contested-sign-ups', class: ContestedSignUps },
  { name: '0014-marks', class: Marks },
  { name: '0015-alerts', class: Alerts },
  { name: '0016-positions', class: Positions },
  { name: '0017-timelines', class: Timelines },
  { name: '0018-sent-again', class: SentAgain },
  { name: '0019-safe', class: Safe },
  { name: '0020-proof', class: Proof },
  { name: '0021-restored-sessions', class: RestoredSessions },
  { name: '0022-lost-sign-ups', class: LostSignUps },
  { name: '0023-feed-regions', class: FeedRegions },
  { name: '0024-access', class: Access },
];
