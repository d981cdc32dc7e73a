import { addressBlocks } from '../../lib/client-address.ts';
import type { AuthParts } from './auth-parts.ts';
import { TooManyRequests } from './auth-problem.ts';
import type { RateRules } from './rate-limits.ts';

/** @throws TooManyRequests `over_request_rate_limit` where one of these may not; those before it are counted. */
async function consumeAll(
  { limits }: Pick<AuthParts, 'limits'>,
  wanted: readonly (readonly [rule: keyof RateRules, subject: string, share?: number])[],
): Promise<void> {
  for (const [rule, subject, share] of wanted) {
    const wait = await limits.take(rule, subject, share);
    if (wait > 0) throw new TooManyRequests('over_request_rate_limit', 'Request rate limit reached', wait);
  }
}

/**
 * The limit of a client address, counted in every block that one subscriber may hold all of.
 *
 * @throws TooManyRequests `over_request_rate_limit`
 */
export function limitAddress(parts: Pick<AuthParts, 'limits'>, rule: keyof RateRules, address: string): Promise<void> {
  return consumeAll(
    parts,
    addressBlocks(address).map(({ name, share }) => [rule, name, share]),
  );
}

/** May this client be told of one account more? Without a limit, a list of addresses could be asked through. */
export async function mayTellTaken(parts: Pick<AuthParts, 'limits'>, address: string): Promise<boolean> {
  try {
    await limitAddress(parts, 'takenByIp', address);
    return true;
  } catch (cause) {
    if (cause instanceof TooManyRequests) return false;
    throw cause;
  }
}

/**
 * Counts a try to sign in to an account. A device that has signed in to it before has a count of its own. All others
 * are counted by address block, so that an attacker locks out only their own block, and, far above that, all together.
 *
 * @returns forgets the failures: the password was right.
 * @throws TooManyRequests `over_request_rate_limit`
 */
export async function limitSignIn(
  parts: Pick<AuthParts, 'limits'>,
  email: string,
  address: string,
  device: string | undefined,
): Promise<() => Promise<void>> {
  const { limits } = parts;
  if (device !== undefined) {
    await consumeAll(parts, [['signInByDevice', `${email} ${device}`]]);
    return () => limits.forgive('signInByDevice', `${email} ${device}`);
  }
  const blocks = addressBlocks(address).map(
    ({ name, share }) => ['signInByEmailAndIp', `${email} ${name}`, share] as const,
  );
  await consumeAll(parts, [...blocks, ['signInByEmail', email]]);
  return async () => {
    for (const [rule, subject] of blocks) await limits.forgive(rule, subject);
    await limits.refund('signInByEmail', email);
  };
}

/**
 * Counts a guess at a six-digit code, of which there are only a million: by account and address block, by account, and
 * all together, so that many accounts are no better to guess at than one. A link always works.
 *
 * @throws TooManyRequests `over_request_rate_limit`
 */
export function limitCodes(parts: Pick<AuthParts, 'limits'>, email: string, address: string): Promise<void> {
  const blocks = addressBlocks(address).map(
    ({ name, share }) => ['codeByEmailAndIp', `${email} ${name}`, share] as const,
  );
  return consumeAll(parts, [...blocks, ['codeByEmail', email], ['codeByAll', 'all']]);
}

/**
 * Counts a try to prove, in a session without a recent sign-in, that it is the account's person.
 *
 * @throws TooManyRequests `over_request_rate_limit`
 */
export function limitProof(parts: Pick<AuthParts, 'limits'>, userId: string): Promise<void> {
  return consumeAll(parts, [['proofByUser', userId]]);
}
