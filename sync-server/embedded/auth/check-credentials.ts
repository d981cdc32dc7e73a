import { AuthProblem, invalid } from './auth-problem.ts';

const shape = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\.]+(\.[^\s@"(),:;<>[\]\\.]+)+$/u;

/** The address in the form it is kept in: trimmed, lower case. */
export function checkEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > 254 || !shape.test(email)) throw invalid('Unable to validate email address: invalid format');
  return email;
}

/** The rules for a new password: at least 6 characters, at most 72 bytes (what the hosted service's bcrypt can take). */
export function checkNewPassword(password: string): void {
  if (Buffer.byteLength(password) > 72) throw invalid('Password cannot be longer than 72 characters');
  if ([...password].length < 6) throw new AuthProblem(422, 'weak_password', 'Password should be at least 6 characters.', ['length']);
}

/** Metadata rides in every access token, which rides in every request's header: it has to stay small. */
export function checkMetadata(data: unknown): Record<string, unknown> {
  if (data === undefined || data === null) return {};
  if (typeof data !== 'object' || Array.isArray(data)) throw invalid('User metadata must be an object');
  if (JSON.stringify(data).length > 4096) throw invalid('User metadata is larger than 4 KB');
  return data as Record<string, unknown>;
}
