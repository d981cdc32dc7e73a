/** Why a mutation was rejected. Codes are for ever: they are in stored outcomes and on old phones. */
export type RejectionCode =
  | 'invalid'
  | 'not-found'
  | 'already-exists'
  | 'job-closed'
  | 'subscription-required'
  | 'stale'
  | 'too-many-photos'
  | 'too-many-jobs'
  | 'too-many-searches'
  | 'too-many-notes'
  | 'foreign-photo'
  | 'file-missing'
  | 'unknown-mutation'
  | 'uid-reused';

/** Field name to message, or for `stale` to the current value as JSON text. */
export type RejectionFields = Readonly<Record<string, string>>;

/** An answer, not an error: the write is undone and the person is told why. */
export class Rejection extends Error {
  readonly code: RejectionCode;
  readonly fields: RejectionFields | undefined;

  constructor(code: RejectionCode, message: string, fields?: RejectionFields) {
    super(message);
    this.name = 'Rejection';
    this.code = code;
    this.fields = fields;
  }
}

/** One answer for what does not exist and for what is another person's, so that a caller cannot learn which. */
export function notFound(): Rejection {
  return new Rejection('not-found', 'That isn’t there any more, or it isn’t yours to change.');
}
