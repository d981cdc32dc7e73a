import { otherPerson, type Problem } from '../../shared/protocol/problem.ts';

/** An error with its HTTP answer. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly body: Problem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: Problem, headers: Readonly<Record<string, string>> = {}) {
    super(typeof body.error === 'string' ? body.error : body.error.join(', '));
    this.name = 'HttpProblem';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** 400: the request says something that cannot be. An array where several fields are wrong; `details` by field. */
export function badRequest(error: string | string[], code = 'invalid', details?: Record<string, unknown>): HttpProblem {
  return new HttpProblem(400, details === undefined ? { error, code } : { error, code, details });
}

/** 401: no token, or none that counts. */
export function signInNeeded(error = 'Sign in to do this'): HttpProblem {
  return new HttpProblem(401, { error, code: 'sign-in-needed' }, { 'WWW-Authenticate': 'Bearer' });
}

/** 401: the request is about one person and its token is of another. */
export function isOtherPerson(error = 'Somebody else is signed in on this device. Sign in again.'): HttpProblem {
  return new HttpProblem(401, { error, code: otherPerson }, { 'WWW-Authenticate': 'Bearer' });
}

/** 403: known, but not theirs to do. */
export function forbidden(error: string, code = 'forbidden'): HttpProblem {
  return new HttpProblem(403, { error, code });
}

/** 404: not there, or not visible to the caller. */
export function notFound(error = 'Not found', code = 'not-found'): HttpProblem {
  return new HttpProblem(404, { error, code });
}

/** 409: it met something that happened meanwhile. */
export function conflict(error: string, code: string, details?: Record<string, unknown>): HttpProblem {
  return new HttpProblem(409, details === undefined ? { error, code } : { error, code, details });
}

/** 413: send less; `limit` in bytes of decompressed body. */
export function tooLarge(limit: number): HttpProblem {
  return new HttpProblem(413, {
    error: `The request is larger than ${limit} bytes`,
    code: 'too-large',
    details: { limit },
  });
}

/** 415: a body we cannot read. */
export function unsupportedType(error: string): HttpProblem {
  return new HttpProblem(415, { error, code: 'unsupported-type' });
}

/** 426: this version of the app is too old to talk to. */
export function updateNeeded(error = 'This version of the app is too old. Reload to get the new one.'): HttpProblem {
  return new HttpProblem(426, { error, code: 'update-needed' });
}

/** 429: again in so many seconds. */
export function tooMany(
  retryAfterSeconds: number,
  error = 'Too many requests. Wait a moment and try again.',
): HttpProblem {
  return new HttpProblem(429, { error, code: 'too-many' }, { 'Retry-After': String(retryAfterSeconds) });
}

/** 503: not now; nothing was lost. */
export function unavailable(
  error = 'We can’t do that right now. Try again in a moment.',
  retryAfterSeconds = 2,
  details?: Record<string, unknown>,
): HttpProblem {
  const body = { error, code: 'unavailable' };
  return new HttpProblem(503, details === undefined ? body : { ...body, details }, {
    'Retry-After': String(retryAfterSeconds),
  });
}
