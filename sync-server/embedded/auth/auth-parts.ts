import type { Database } from '../../db/database.ts';
import type { Log } from '../../lib/log.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { AccountProofs } from './account-proof.ts';
import type { AccessTokens } from './access-token.ts';
import type { KnownDevices } from './known-devices.ts';
import type { Passwords } from './passwords.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Sessions } from './sessions.ts';

/** What every handler below /auth/v1 is given. */
export interface AuthParts {
  database: Database;
  mailer: Mailer;
  clock: () => Date;
  log: Log;
  /** Origin people reach the product at, without a slash at the end. */
  publicUrl: () => string;
  knownDevices: KnownDevices;
  passwords: Passwords;
  /** Secret for values that only this server reads again. */
  derivedSecret: Buffer;
  limits: RateLimits;
  accessTokens: AccessTokens;
  accountProofs: AccountProofs;
  sessions: Sessions;
  /**
   * Sign-up, recovery and resend answer no sooner than this, so that the answer's time does not reveal whether an
   * account exists.
   */
  mailAnswerFloorMs: number;
}
