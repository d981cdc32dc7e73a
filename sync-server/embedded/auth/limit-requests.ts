import { addressBlocks } from '../../http/client-address.ts';
import type { AuthParts } from './auth-parts.ts';
import { TooManyRequests } from './auth-problem.ts';
import type { RateRules } from './rate-limits.ts';

/** @throws TooManyRequests `over_request_rate_limit` */
export async function limitRequests({ limits }: Pick<AuthParts, 'limits'>, rule: keyof RateRules, subject: string): Promise<void> {
  const wait = await limits.take(rule, subject);
  if (wait > 0) throw new TooManyRequests('over_request_rate_limit', 'Request rate limit reached', wait);
}

/**
 * The limit of a client address, counted in every block that one subscriber may hold all of.
 *
 * @throws TooManyRequests `over_request_rate_limit`
 */
export async function limitAddress({ limits }: Pick<AuthParts, 'limits'>, rule: keyof RateRules, address: string): Promise<void> {
  for (const { name, share } of addressBlocks(address)) {
    const wait = await limits.take(rule, name, share);
    if (wait > 0) throw new TooManyRequests('over_request_rate_limit', 'Request rate limit reached', wait);
  }
}
