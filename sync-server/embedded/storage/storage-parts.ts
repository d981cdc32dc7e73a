import type { Database } from '../../db/database.ts';
import type { ConcurrencyLimiter } from '../../http/shed-load.ts';
import type { VerifyToken } from '../../http/verify-token.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { FileStore } from './file-store.ts';

/** What every handler below /storage/v1 is given. */
export interface StorageParts {
  database: Database;
  clock: () => Date;
  files: FileStore;
  verifyToken: VerifyToken;
  anonKey: string;
  limits: RateLimits;
  /** Counts the uploads of each person that are under way in this process. */
  uploading: ConcurrencyLimiter;
  /** Maximum bytes of one object. */
  objectLimit: number;
  /** Maximum bytes of all objects of one person. */
  personLimit: number;
}
