import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { demoPassword } from '../sync-server/db/seed/demo/demo-people.ts';
import { createPasswords } from '../sync-server/embedded/auth/passwords.ts';

/**
 * Hashes the demo accounts' password again at no cost, in the data of a server that is stopped. A hash keeps the cost
 * that it was made with, and a sign-in at full cost takes a third of a second of a processor, hundreds of times in a
 * run. What a hash costs is the matter of `passwords.test.ts`; accounts that a test signs up: `cheap-passwords.ts`.
 */
export async function weakenDemoPasswords(dataDir: string): Promise<void> {
  const passwords = createPasswords({ cost: { logN: 4, r: 8, p: 1 } });
  const database = await PGlite.create({ dataDir: join(dataDir, 'database') });
  try {
    const { affectedRows } = await database.query('update embedded.users set password_hash = $1 where email like $2', [
      await passwords.hash(demoPassword, 'demo'),
      '%@demo.nz',
    ]);
    if (!affectedRows) throw new Error('There is no demo account in the data of the first start.');
  } finally {
    await database.close();
  }
}
