import { invalidKey, noSuchBucket } from './storage-problem.ts';

/** Readable by everybody, written by owners: photos and logos stand on pages that search engines and visitors see. */
const buckets = ['job-photos', 'tradie-logos'] as const;

const allowed = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/;
const longest = 1024;

/** @throws StorageProblem `NoSuchBucket` */
export function checkBucket(bucket: string): string {
  if (!buckets.some((name) => name === bucket)) throw noSuchBucket();
  return bucket;
}

/**
 * The hosted service's charset, which has no macrons: names are made, never taken from files. Segments that are empty or dots
 * are refused although no key ever becomes a path here, so that nothing later can be led astray by one.
 *
 * @throws StorageProblem `InvalidKey`
 */
export function checkKey(key: string): string {
  const segments = key.split('/');
  if (key.length > longest || !allowed.test(key) || segments.some((segment) => ['', '.', '..'].includes(segment))) throw invalidKey(key);
  return key;
}

/** The policy of both buckets, as `hosted-policies.sql` has it: a person's first folder is their user id, and theirs alone. */
export function isOwnKey(key: string, userId: string): boolean {
  return key.startsWith(`${userId}/`);
}
