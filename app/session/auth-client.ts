import type { AuthClient as Client } from '@supabase/auth-js';
import type { Config } from './config.ts';
import { storageKey, type AuthStorage } from './auth-storage.ts';
import { fetchWithTimeout } from './fetch-with-timeout.ts';
import { importWithTimeout } from './import-with-timeout.ts';
import { fetchForSession } from './fetch-for-session.ts';

export type AuthClient = InstanceType<typeof Client>;

interface AuthClientOptions {
  config: Config;
  storage: AuthStorage;
  fetch: typeof fetch;
  /** A page renews the session while it is visible; a worker does not. */
  isPage: boolean;
}

/**
 * The authentication part of supabase-js by itself: 20 kB of the 47 that the whole of supabase-js weighs. Loaded when
 * it is first needed, never before the first screen.
 */
export async function createAuthClient({ config, storage, fetch, isPage }: AuthClientOptions): Promise<AuthClient> {
  const { AuthClient } = await importWithTimeout(import('@supabase/auth-js'));
  return new AuthClient({
    url: `${config.supabaseUrl}/auth/v1`,
    headers: { apikey: config.supabaseAnonKey, Authorization: `Bearer ${config.supabaseAnonKey}` },
    storageKey,
    storage,
    fetch: fetchForSession(fetchWithTimeout(fetch)),
    persistSession: true,
    autoRefreshToken: isPage,
    // The person who is signed in here is asked first: see compose/create-mailed-link.ts.
    detectSessionInUrl: false,
    // A mailed link is often opened in another browser than the one that asked for it; PKCE would not survive that.
    flowType: 'implicit',
  });
}
