import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded into a test's server ahead of its own code: the password of an account that a test signs up costs as little
 * as a demo account's (weaken-passwords.ts), from its hash to each sign-in. What a hash costs is the matter of
 * `passwords.test.ts`.
 */

const { scrypt } = crypto;
crypto.scrypt = ((password, salt, bytes, options: ScryptOptions, done) =>
  scrypt(password, salt, bytes, { ...options, N: 16, p: 1 }, done)) as typeof scrypt;
syncBuiltinESMExports();
