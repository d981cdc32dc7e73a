import type { Deps } from '../ports/deps.ts';
import type { Handlers } from './call-router.ts';
import { readReferenceLists } from './reference-lists.ts';

type Names = 'config.read' | 'locations.list' | 'categories.list';

/** `publicUrl`: where people reach the product; the embedded sign-in and files live there. */
export function referenceHandlers({ config, anonKey, database, vapidKeys }: Deps): Pick<Handlers, Names> {
  return {
    'config.read': async ({ origin }) => ({
      supabaseUrl: config.supabase?.url ?? config.publicUrl ?? origin,
      supabaseAnonKey: anonKey,
      ...(config.supabase === undefined ? { isEmbedded: true } : {}),
      ...(vapidKeys === undefined ? {} : { pushKey: vapidKeys.publicKey }),
    }),
    'locations.list': async () => [...(await readReferenceLists(database.sql)).locations.values()],
    'categories.list': async () => [...(await readReferenceLists(database.sql)).categories.values()],
  };
}
