import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { ScryptOptions } from 'node:crypto';
import { TooManyRequests } from './auth-problem.ts';

interface PasswordCost {
  /** log2 of scrypt's N. */
  logN: number;
  r: number;
  p: number;
}

export interface PasswordOptions {
  /** Default: 32 MiB and three passes, OWASP's middle setting for scrypt. Existing hashes keep the cost they were made with. */
  cost?: PasswordCost;
  /** How many are worked out at a time; each takes memory and a pool thread. */
  parallel?: number;
  /** How many may wait before new ones are turned away. */
  waiting?: number;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** `null` stands for an account that is not there: takes as long, and is false. */
  verify(password: string, encoded: string | null): Promise<boolean>;
}

const hashBytes = 32;

function derive(password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: 2 ** logN * r * 128 * 2 };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hashBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** Runs at most `parallel` at a time; the others wait in line, and past `waiting` they are turned away. */
function createLine(parallel: number, waiting: number) {
  const line: (() => void)[] = [];
  let running = 0;
  return async function inLine<T>(work: () => Promise<T>): Promise<T> {
    if (running >= parallel) {
      if (line.length >= waiting) throw new TooManyRequests('over_request_rate_limit', 'Request rate limit reached', 1000);
      await new Promise<void>((resolve) => line.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The place is handed straight to the next in line, so `running` only falls when nobody waits.
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** scrypt hashes as `scrypt$logN$r$p$salt$hash`, worked out on the thread pool, never on the event loop. */
export function createPasswords({ cost = { logN: 15, r: 8, p: 3 }, parallel = 2, waiting = 200 }: PasswordOptions = {}): Passwords {
  const inLine = createLine(parallel, waiting);
  const nobody = ['scrypt', cost.logN, cost.r, cost.p, randomBytes(16).toString('base64url'), randomBytes(hashBytes).toString('base64url')].join('$');

  return {
    async hash(password) {
      const salt = randomBytes(16);
      const key = await inLine(() => derive(password, salt, cost));
      return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
    },
    async verify(password, encoded) {
      const [, logN, r, p, salt = '', hash = ''] = (encoded ?? nobody).split('$');
      const made = { logN: Number(logN), r: Number(r), p: Number(p) };
      const key = await inLine(() => derive(password, Buffer.from(salt, 'base64url'), made));
      return timingSafeEqual(key, Buffer.from(hash, 'base64url')) && encoded !== null;
    },
  };
}
