import { createHmac } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { sql as rawSql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { embedded } from '../embedded-tables.ts';
import { advisoryLocks } from '../../db/advisory-locks.ts';

export interface SigningKeys {
  /** Signs new tokens. */
  kid: string;
  privateKey: CryptoKey;
  /** Secret for values that only this server reads again. Derived from the private key, so it lasts as long. */
  derivedSecret: Buffer;
  /** The content of `/.well-known/jwks.json`. */
  jwks: { keys: JWK[] };
}

async function createKey(): Promise<{ kid: string; jwk: JWK }> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { kid: await calculateJwkThumbprint(jwk), jwk };
}

function publicPart({ kty, crv, x, y }: JWK, kid: string): JWK {
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] } as JWK;
}

/** The server's own ES256 key, made on first start and kept in the database, so that a restart signs no one out. */
export async function loadSigningKeys({
  database,
  clock,
}: {
  database: Database;
  clock: () => Date;
}): Promise<SigningKeys> {
  const rows = await database.transaction(async (sql) => {
    const tables = embedded(sql);
    // Two servers that start together on an empty database must not each sign with a key that the other does not know.
    await rawSql`select pg_advisory_xact_lock(${advisoryLocks.signingKey}::bigint)`.execute(sql);
    const kept = () => tables.selectFrom('signing_keys').selectAll().orderBy('created_at').orderBy('kid').execute();
    const found = await kept();
    if (found.length > 0) return found;
    const { kid, jwk } = await createKey();
    await tables
      .insertInto('signing_keys')
      .values({ kid, private_jwk: JSON.stringify(jwk), created_at: clock() })
      .execute();
    return kept();
  });
  const keys = rows.map(({ kid, private_jwk: jwk }) => ({ kid, jwk: jwk }));
  const first = keys[0];
  if (!first) throw new Error('No signing key');
  const privateKey = await importJWK(first.jwk, 'ES256');
  if (privateKey instanceof Uint8Array) throw new Error('The signing key is not an elliptic curve key');
  const derivedSecret = createHmac('sha256', Buffer.from(first.jwk.d ?? '', 'base64url'))
    .update('dwang seal')
    .digest();
  return {
    kid: first.kid,
    privateKey,
    derivedSecret,
    jwks: { keys: keys.map(({ jwk, kid }) => publicPart(jwk, kid)) },
  };
}
