import { isKey, type Bucket } from '../../../shared/lib/file-ref.ts';
import { invalidKey, noSuchBucket } from './storage-problem.ts';

/** Public to read, written by owners: photos and logos are on pages that search engines and visitors see. */
const buckets = ['job-photos', 'tradie-logos'] as const satisfies Bucket[];

/** @throws StorageProblem `NoSuchBucket` */
export function checkBucket(bucket: string): Bucket {
  const known = buckets.find((name) => name === bucket);
  if (known === undefined) throw noSuchBucket();
  return known;
}

/**
 * The hosted service's charset, which has no macrons: names are made, never taken from files. Segments that are empty
 * or dots are rejected although no key ever becomes a path here, so that no later code can be misled by one.
 *
 * @throws StorageProblem `InvalidKey`
 */
export function checkKey(key: string): string {
  if (!isKey(key)) throw invalidKey(key);
  return key;
}
