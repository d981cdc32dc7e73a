import type { Upload, UploadRequest } from './upload.ts';
import { asciiName } from './ascii-name.ts';

export type LogoResult =
  /** It is there, under this bucket and path. */
  | { kind: 'up'; ref: string }
  /** No answer, or one that decides nothing (a 5xx, a portal). */
  | { kind: 'unreachable' }
  | { kind: 'refused'; message: string };

/** Puts a logo into the public bucket. Harmless to repeat. Never throws; an aborted signal is `unreachable`. */
export type PutLogo = (request: UploadRequest, signal: AbortSignal) => Promise<LogoResult>;

interface PutLogoPorts {
  /** Path in the bucket `tradie-logos`. */
  upload: Upload;
  /** The session's renewal, after storage answered 401. */
  refresh(): Promise<'refreshed' | 'signed-out' | 'network'>;
}

export const logoFailed = 'Failed to upload images';

export function createPutLogo({ upload, refresh }: PutLogoPorts): PutLogo {
  return async (request, signal) => {
    let result = await upload(request, signal);
    if (result.kind === 'unauthorized') {
      if ((await refresh()) !== 'refreshed') return { kind: 'unreachable' };
      result = await upload(request, signal);
    }
    if (result.kind === 'up') return { kind: 'up', ref: logoRef(request.path) };
    if (result.kind === 'unreachable') return result;
    return { kind: 'refused', message: (result.kind === 'refused' && result.message) || logoFailed };
  };
}

/** The logo's reference in a profile. */
export const logoRef = (path: string) => `tradie-logos/${path}`;

/** Where a logo goes: a random folder, so that it names no person, the time, the file's name as storage takes it. */
export function logoPath(nowMs: number, name: string, type: string): string {
  return `${crypto.randomUUID()}/${nowMs}-${asciiName(name, type)}`;
}
