/** An error in the words of the hosted storage. */
export class StorageProblem extends Error {
  readonly statusCode: number;
  readonly code: string;
  /** The `error` word of the body. */
  readonly word: string;

  constructor(statusCode: number, code: string, message: string, word: string = code) {
    super(message);
    this.name = 'StorageProblem';
    this.statusCode = statusCode;
    this.code = code;
    this.word = word;
  }
}

export const noSuchKey = () => new StorageProblem(404, 'NoSuchKey', 'Object not found', 'not_found');
export const noSuchBucket = () => new StorageProblem(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found');
export const tooLarge = () =>
  new StorageProblem(413, 'EntityTooLarge', 'The object exceeded the maximum allowed size', 'Payload too large');
export const wrongType = (type: string) =>
  new StorageProblem(415, 'InvalidMimeType', `mime type ${type} is not supported`, 'invalid_mime_type');
export const tooManyPixels = () =>
  new StorageProblem(413, 'EntityTooLarge', 'The picture has too many pixels', 'Payload too large');
export const noRoom = () =>
  new StorageProblem(
    507,
    'InsufficientStorage',
    'There is no room for files just now. Nothing was kept; try again later.',
    'Insufficient storage',
  );
export const diskError = () =>
  new StorageProblem(
    503,
    'SlowDown',
    'Files cannot be kept just now. Nothing was kept; try again later.',
    'Service unavailable',
  );
export const invalidKey = (key: string) => new StorageProblem(400, 'InvalidKey', `Invalid key: ${key.slice(0, 200)}`);
export const invalidRequest = (message: string) => new StorageProblem(400, 'InvalidRequest', message);
export const accessDenied = (message = 'new row violates row-level security policy') =>
  new StorageProblem(403, 'AccessDenied', message, 'Unauthorized');
