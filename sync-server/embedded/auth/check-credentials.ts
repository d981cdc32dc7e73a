import { normalAddress } from '../../mail/normal-address.ts';
import { invalid } from './auth-problem.ts';

const shape = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\.]+(\.[^\s@"(),:;<>[\]\\.]+)+$/u;

/** The address in the form it is kept in. @throws AuthProblem 400 `validation_failed` */
export function checkEmail(text: string): string {
  const email = normalAddress(text);
  if (email.length > 254 || !shape.test(email)) throw invalid('Unable to validate email address: invalid format');
  return email;
}

const metadataBytes = 1024;

/** Metadata is in every access token, and so in every request's headers, which servers limit to some kilobytes. */
export function checkMetadata(data: unknown): Record<string, unknown> {
  if (data === undefined || data === null) return {};
  if (typeof data !== 'object' || Array.isArray(data)) throw invalid('User metadata must be an object');
  if (Buffer.byteLength(JSON.stringify(data)) > metadataBytes) throw invalid('User metadata is larger than 1 KB');
  return data as Record<string, unknown>;
}
