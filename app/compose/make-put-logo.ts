import { createPutLogo, logoBaseOf, type PutLogo } from '../photos/put-logo.ts';
import { createStorageUpload } from '../photos/upload.ts';
import type { Session } from '../session/create-session.ts';
import type { Configured } from './make-configured.ts';

interface PutLogoPorts {
  configured: Configured;
  fetch: typeof fetch;
  session: Pick<Session, 'accessToken' | 'refresh'>;
}

/** For forms that send a logo at once, before there may be a house to send it from. */
export function makePutLogo({ configured, fetch, session }: PutLogoPorts): PutLogo {
  return async (request, signal) => {
    const config = await configured.wait().catch(() => undefined);
    if (config === undefined) return { kind: 'unreachable' };
    const { supabaseUrl, supabaseAnonKey: anonKey } = config;
    const upload = createStorageUpload({ bucket: 'tradie-logos', supabaseUrl, anonKey, fetch, accessToken: session.accessToken });
    return createPutLogo({ upload, refresh: session.refresh, logoBase: logoBaseOf(config) })(request, signal);
  };
}
