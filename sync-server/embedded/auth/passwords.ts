import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { ScryptOptions } from 'node:crypto';
import { createFairQueue } from './fair-queue.ts';

interface PasswordCost {
  /** log2 of scrypt's N. */
  logN: number;
  r: number;
  p: number;
}

export interface PasswordOptions {
  /**
   * Default: 32 MiB and three passes, OWASP's middle setting for scrypt. Existing hashes keep the cost they were made
   * with.
   */
  cost?: PasswordCost;
  /** How many are computed at a time; each takes memory and a pool thread. */
  parallel?: number;
  /** How many may wait before new ones are rejected, in total and from one sender. */
  waiting?: number;
  waitingPerKey?: number;
}

/**
 * Each waits under the `queueKey` of its sender (an address block) in a fair queue. Both throw TooManyRequests where
 * the queue is full.
 */
export interface Passwords {
  /** `salt`: where two hashes of one password are to be alike; otherwise each has its own. */
  hash(password: string, queueKey: string, salt?: Buffer): Promise<string>;
  /** `null` means an account that is not there: takes as long, and is false. */
  verify(password: string, encoded: string | null, queueKey: string): Promise<boolean>;
}

const hashBytes = 32;

function derive(password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: 2 ** logN * r * 128 * 2 };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hashBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** scrypt hashes as `scrypt$logN$r$p$salt$hash`, worked out on the thread pool, never on the event loop. */
export function createPasswords({
  cost = { logN: 15, r: 8, p: 3 },
  parallel = 2,
  waiting = 200,
  waitingPerKey = 20,
}: PasswordOptions = {}): Passwords {
  const inTurn = createFairQueue({ parallel, waiting, waitingPerKey });
  const nobody = [
    'scrypt',
    cost.logN,
    cost.r,
    cost.p,
    randomBytes(16).toString('base64url'),
    randomBytes(hashBytes).toString('base64url'),
  ].join('$');

  return {
    async hash(password, queueKey, salt = randomBytes(16)) {
      const key = await inTurn(queueKey, () => derive(password, salt, cost));
      return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
    },
    async verify(password, encoded, queueKey) {
      const [, logN, r, p, salt = '', hash = ''] = (encoded ?? nobody).split('$');
      const made = { logN: Number(logN), r: Number(r), p: Number(p) };
      const key = await inTurn(queueKey, () => derive(password, Buffer.from(salt, 'base64url'), made));
      return timingSafeEqual(key, Buffer.from(hash, 'base64url')) && encoded !== null;
    },
  };
}
