import type { Database } from '../database.ts';
import { insertMany, insertPeople } from './insert-rows.ts';
import { manyRows, type ManyRows, type ManyRowsOptions } from './many-rows.ts';
import { seedReference } from './seed-reference.ts';

/**
 * Fills an empty database with a full marketplace (for tests and benchmarks) and answers what it wrote. The same seed
 * writes the same.
 */
export async function seedMany(database: Database, options: ManyRowsOptions): Promise<ManyRows> {
  await seedReference(database);
  const rows = manyRows(options);
  await database.transaction(async (tx) => {
    await insertPeople(tx, rows);
    await insertMany(tx, 'jobs', rows.jobs);
  });
  return rows;
}
