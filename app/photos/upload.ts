/**
 * `unreachable`: no answer, or one that decides nothing; it is tried again. `refused`: storage said no, with its
 * reason.
 */
export type UploadResult =
  | { kind: 'up' }
  | { kind: 'unreachable' }
  | { kind: 'unauthorized' }
  | { kind: 'refused'; message: string };

export interface UploadRequest {
  path: string;
  bytes: ArrayBuffer;
  type: string;
}

/** Puts bytes under a path of its bucket; a repeat changes nothing. Never throws. */
export type Upload = (request: UploadRequest, signal: AbortSignal) => Promise<UploadResult>;

export interface UploadPorts {
  upload: Upload;
  /** The session's renewal, after storage answered 401. */
  refresh(): Promise<'refreshed' | 'signed-out' | 'network'>;
}

export const uploadFailed = 'Failed to upload images';

/**
 * An upload that renews the session once where storage answers 401; what is turned down has a reason for the person.
 */
export async function uploadRenewing(
  { upload, refresh }: UploadPorts,
  request: UploadRequest,
  signal: AbortSignal,
): Promise<Exclude<UploadResult, { kind: 'unauthorized' }>> {
  let result = await upload(request, signal);
  if (result.kind === 'unauthorized') {
    if ((await refresh()) !== 'refreshed') return { kind: 'unreachable' };
    result = await upload(request, signal);
  }
  if (result.kind === 'up' || result.kind === 'unreachable') return result;
  return { kind: 'refused', message: (result.kind === 'refused' && result.message) || uploadFailed };
}

interface StoragePorts {
  bucket?: 'job-photos' | 'tradie-logos';
  supabaseUrl: string;
  anonKey: string;
  fetch: typeof fetch;
  accessToken(): Promise<string | null>;
}

/** A year: a path's bytes never change. */
const cacheSeconds = '31536000';

/** Storage's own error name. */
const tooLarge = 'The object exceeded the maximum allowed size';

/** Storage's answers carry the real status as text in the body. */
interface StorageRejection {
  message: string;
  statusCode: string;
}

/** One request of the storage's own protocol: the library for it would be 28 kB of every install, twice. */
export function createStorageUpload({
  bucket = 'job-photos',
  supabaseUrl,
  anonKey,
  fetch,
  accessToken,
}: StoragePorts): Upload {
  return async ({ path, bytes, type }, signal) => {
    try {
      const token = await accessToken();
      if (token === null) return { kind: 'unauthorized' };
      const headers = {
        apikey: anonKey,
        authorization: `Bearer ${token}`,
        'content-type': type,
        'cache-control': `max-age=${cacheSeconds}`,
        'x-upsert': 'true',
      };
      const url = `${supabaseUrl}/storage/v1/object/${bucket}/${path.split('/').map(encodeURIComponent).join('/')}`;
      const answer = await fetch(url, { method: 'POST', headers, body: bytes, signal });
      // Storage answers it as text in a body, a proxy with this status alone: sent again it would be as large.
      if (answer.status === 413) return { kind: 'refused', message: tooLarge };
      if (!answer.ok) return await resultOf(answer);
      // A captive portal says 200 as well, and the bytes would be deleted from the device (I12): only storage's answer
      // names the stored file.
      const { Key: key } = (await answer.json()) as { Key?: unknown };
      return { kind: typeof key === 'string' ? 'up' : 'unreachable' };
    } catch {
      return { kind: 'unreachable' };
    }
  };
}

/** What a firewall or filter in between answers, for good: in HTML, in JSON of its own, or with no body. */
const turnedAway = new Set([403, 405, 406, 415, 451]);

async function resultOf(answer: Response): Promise<UploadResult> {
  const said: unknown = await answer.json().catch(() => undefined);
  if (isOfStorage(said)) return checkRejection(said);
  if (!turnedAway.has(answer.status)) return { kind: 'unreachable' };
  return {
    kind: 'refused',
    message: `Something between this phone and us turned this photo away (${answer.status}). Try again on another network.`,
  };
}

/** Only storage's own error format decides: a firewall's JSON has no `statusCode`, or is no object at all. */
function isOfStorage(said: unknown): said is StorageRejection {
  return (
    typeof said === 'object' &&
    said !== null &&
    'statusCode' in said &&
    'message' in said &&
    typeof said.message === 'string'
  );
}

function checkRejection({ message, statusCode }: StorageRejection): UploadResult {
  const said = Number(statusCode);
  if (!Number.isInteger(said) || said === 429 || said >= 500) return { kind: 'unreachable' };
  if (said === 401 || /jwt|expired/i.test(message)) return { kind: 'unauthorized' };
  return { kind: 'refused', message };
}
