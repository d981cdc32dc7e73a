/** An error answer of the provider. The SDK takes an answer without `error` for a success, whatever its status. */
export class StripeProblem extends Error {
  readonly status: number;
  readonly body: { error: { type: string; message: string; code?: string; param?: string } };

  constructor(status: number, error: { type: string; message: string; code?: string; param?: string }) {
    super(error.message);
    this.name = 'StripeProblem';
    this.status = status;
    this.body = { error };
  }
}

/** 400: the request is invalid. */
export function invalid(message: string, code?: string, param?: string): StripeProblem {
  return new StripeProblem(400, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  });
}

/** 404 where the path names it, 400 where a parameter does. */
export function missing(what: string, id: string, param = 'id'): StripeProblem {
  return new StripeProblem(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  });
}
