import { forbidden } from '../http/http-problem.ts';
import { normalAddress } from '../mail/normal-address.ts';

/**
 * A request that names an address is about that account: the page it was written on may be older than the session it is
 * sent under.
 *
 * @throws HttpProblem 403 `other-email` where the two are not the same address.
 */
export function mustBeOwnEmail(
  given: string,
  own: string,
  error = 'The email must be the one of the account you are signed in with.',
): void {
  if (normalAddress(given) !== normalAddress(own)) throw forbidden(error, 'other-email');
}
