import type { Database } from '../db/database.ts';
import { ProbeFailure, type Probe } from '../ports/readiness-probe.ts';
import { embedded } from './embedded-tables.ts';
import type { FileStore } from './storage/file-store.ts';

/** Are the embedded sign-in and storage able to do their work? */
export function embeddedProbes(database: Database, files: FileStore): Probe[] {
  return [
    {
      name: 'storage',
      isNeeded: true,
      keepMs: 5_000,
      ask: async () => {
        await files.tryOut().catch((error: NodeJS.ErrnoException) => {
          throw new ProbeFailure(`files cannot be written (${error.code ?? error.name})`);
        });
        return 'embedded';
      },
    },
    {
      name: 'auth',
      isNeeded: true,
      keepMs: 0,
      ask: async () => {
        const key = await embedded(database.sql).selectFrom('signing_keys').select('kid').limit(1).executeTakeFirst();
        if (key === undefined) throw new ProbeFailure('there is no key to sign tokens with');
        return 'embedded';
      },
    },
  ];
}
