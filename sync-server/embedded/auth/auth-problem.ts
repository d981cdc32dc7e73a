/** An error in the words of GoTrue: HTTP status, error code, sentence. */
export class AuthProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly weakReasons: readonly string[] | undefined;

  constructor(status: number, code: string, message: string, weakReasons?: readonly string[]) {
    super(message);
    this.name = 'AuthProblem';
    this.status = status;
    this.code = code;
    this.weakReasons = weakReasons;
  }
}

export const invalid = (message: string) => new AuthProblem(400, 'validation_failed', message);

/** `Retry-After` is for the client's back-off; the sentence is GoTrue's. */
export class TooManyRequests extends AuthProblem {
  readonly retryAfterSeconds: number;

  constructor(code: string, message: string, retryAfterMs: number) {
    super(429, code, message);
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  }
}
