import { uploadRenewing, type UploadPorts, type UploadRequest } from './upload.ts';
import { asciiName } from './ascii-name.ts';

export type LogoResult =
  /** It is there, under this bucket and path. */
  | { kind: 'up'; ref: string }
  /** No answer, or one that decides nothing (a 5xx, a portal). */
  | { kind: 'unreachable' }
  | { kind: 'refused'; message: string };

/** Puts a logo into the public bucket. Harmless to repeat. Never throws; an aborted signal is `unreachable`. */
export type PutLogo = (request: UploadRequest, signal: AbortSignal) => Promise<LogoResult>;

/** `upload`: to the bucket `tradie-logos`. */
export function createPutLogo(ports: UploadPorts): PutLogo {
  return async (request, signal) => {
    const result = await uploadRenewing(ports, request, signal);
    return result.kind === 'up' ? { kind: 'up', ref: logoRef(request.path) } : result;
  };
}

/** The logo's reference in a profile. */
export const logoRef = (path: string) => `tradie-logos/${path}`;

/** The path of a logo: a random folder, so that it names no person, the time, the file's name as storage takes it. */
export function logoPath(nowMs: number, name: string, type: string): string {
  return `${crypto.randomUUID()}/${nowMs}-${asciiName(name, type)}`;
}
