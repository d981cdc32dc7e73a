import { createPutLogo, type PutLogo } from '../photos/put-logo.ts';
import { createStorageUpload } from '../photos/upload.ts';
import type { Tokens } from '../session/create-tokens.ts';
import type { Configured } from './create-configured.ts';

interface PutLogoPorts {
  configured: Configured;
  fetch: typeof fetch;
  /** Of the person whose screen sends it, as signed in when it is sent. */
  tokens(): Promise<Tokens>;
}

/** For forms that send a logo at once, before there may be a session context to send it from. */
export function createDirectPutLogo({ configured, fetch, tokens }: PutLogoPorts): PutLogo {
  return async (request, signal) => {
    const config = await configured.wait().catch(() => undefined);
    if (config === undefined) return { kind: 'unreachable' };
    const { supabaseUrl, supabaseAnonKey: anonKey } = config;
    const { accessToken, refresh } = await tokens();
    const upload = createStorageUpload({ bucket: 'tradie-logos', supabaseUrl, anonKey, fetch, accessToken });
    return createPutLogo({ upload, refresh })(request, signal);
  };
}
