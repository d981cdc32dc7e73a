import type { Question, Said } from './wire.ts';

/** One file as storage has it. */
export interface StoredFile {
  bytes: number;
  /** The user whose token it was uploaded with. */
  by: string;
}

/**
 * Photo storage: an upload is an upsert; an interrupted one leaves nothing. It accepts every signed-in person, so that
 * the checker sees the fault.
 */
export interface Bucket {
  answer(question: Question, userId: string | undefined): Said;
  /** Finds a file by its path inside the bucket. */
  file(path: string): StoredFile | undefined;
  paths(): readonly string[];
}

const bucketPath = /^\/storage\/v1\/object\/job-photos\/(.+)$/;
const json = (status: number, body: unknown): Said => ({
  status,
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});

export function createBucket(onPut: (path: string, file: StoredFile) => void): Bucket {
  const files = new Map<string, StoredFile>();
  return {
    file: (path) => files.get(path),
    paths: () => [...files.keys()],
    answer: ({ path, bytes, length }, userId) => {
      const name = decodeURIComponent(bucketPath.exec(path)?.[1] ?? '');
      if (name === '') return json(404, { message: 'Bucket not found', statusCode: '404' });
      if (userId === undefined)
        return json(400, { message: '"exp" claim timestamp check failed', error: 'Unauthorized', statusCode: '403' });
      if (bytes === undefined || bytes.byteLength !== length)
        return json(400, { message: 'request aborted', statusCode: '500' });
      const file = { bytes: bytes.byteLength, by: userId };
      files.set(name, file);
      onPut(name, file);
      return json(200, { Key: `job-photos/${name}`, Id: name });
    },
  };
}
