import { sql as rawSql } from 'kysely';
import type { Config } from '../../lib/config.ts';
import type { Database } from '../../db/database.ts';
import { createHostedFiles } from '../retention/hosted-files.ts';
import { warning, good, lookUp, missing, type Finding } from './finding.ts';

const about = 'Files';
const buckets = ['job-photos', 'tradie-logos'] as const;
const script = 'sync-server/embedded/storage/hosted-policies.sql';
/** It restricted people to folders that named them. */
const formerPolicy = 'People add files to their own folder';
const policies = [
  'People see their own files',
  'People add files of their own',
  'People replace their own files',
  'People remove their own files',
];

/** Are the buckets there and public, and may an unknown client write to them? */
export async function checkFiles(
  { supabase }: Pick<Config, 'supabase'>,
  database: Database | undefined,
  ask: typeof fetch,
): Promise<Finding[]> {
  if (supabase === undefined)
    return [warning(about, 'SUPABASE_URL is not set: photos and logos are kept in DATA_DIR.')];
  const findings = await Promise.all(buckets.map((bucket) => checkBucket(supabase, bucket, ask)));
  return [
    ...findings.flat(),
    ...(await checkSweeping(supabase, ask)),
    ...(database === undefined ? [] : await checkPolicies(database)),
  ];
}

function checkBucket(
  { url, anonKey }: { url: string; anonKey: string },
  bucket: string,
  ask: typeof fetch,
): Promise<Finding[]> {
  const probe = async () => {
    const signal = AbortSignal.timeout(10_000);
    const read = await ask(`${url}/storage/v1/object/public/${bucket}/doctor/nothing.png`, { signal });
    const written = await ask(`${url}/storage/v1/object/${bucket}/doctor/nothing.png`, {
      method: 'POST',
      body: new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
      headers: { apikey: anonKey, Authorization: `Bearer ${anonKey}`, 'Content-Type': 'image/png' },
      signal,
    });
    return { reason: await read.text(), isOpen: written.ok };
  };
  return lookUp(about, `The bucket ${bucket}`, probe, ({ reason, isOpen }) => {
    if (isOpen)
      return [
        missing(about, `Every caller may write to ${bucket}: run ${script}, and delete doctor/nothing.png there.`),
      ];
    if (/NoSuchBucket|Bucket not found/i.test(reason))
      return [
        missing(about, `The bucket ${bucket} is missing or not public: run ${script} in the project’s SQL editor.`),
      ];
    return [good(about, `The bucket ${bucket} is there, public to read, closed to strangers.`)];
  });
}

/** Makes the same request as the retention. */
function checkSweeping(
  { url, serviceKey }: { url: string; serviceKey: string | undefined },
  ask: typeof fetch,
): Promise<Finding[]> {
  if (serviceKey === undefined)
    return Promise.resolve([
      warning(
        about,
        'SUPABASE_SERVICE_ROLE_KEY is not set: photos and logos that nothing shows any more are kept for ever.',
      ),
    ]);
  const list = () =>
    createHostedFiles({ url, serviceKey, fetch: ask, timeoutMs: 10_000 }).list(
      'job-photos',
      undefined,
      new AbortController().signal,
    );
  return lookUp(about, 'Everybody’s files (is SUPABASE_SERVICE_ROLE_KEY right?)', list, () => [
    good(about, 'Photos and logos that nothing shows are removed after 180 days.'),
  ]);
}

/** Checks the policies where the product's tables live in the project's own database. */
function checkPolicies(database: Database): Promise<Finding[]> {
  const ask = async () => {
    const { rows } = await rawSql<{
      policyname: string;
    }>`select policyname from pg_policies where schemaname = 'storage' and tablename = 'objects'`.execute(database.sql);
    const { rows: there } = await rawSql<{
      storage: string | null;
    }>`select to_regclass('storage.objects')::text as storage`.execute(database.sql);
    return there[0]?.storage == null ? undefined : rows.map(({ policyname }) => policyname);
  };
  return lookUp(about, 'The storage policies', ask, (found) => {
    if (found === undefined)
      return [
        warning(
          about,
          `DATABASE_URL is not the Supabase project’s own database, so its policies could not be looked at (see that ${script} was run there), and nobody can look up whose a file is: a photo is judged by its path, one under a plain name is refused, and a logo is believed.`,
        ),
      ];
    const lacking = policies.filter((policy) => !found.includes(policy));
    if (found.includes(formerPolicy))
      return [
        missing(about, `A policy of an earlier version is still there (“${formerPolicy}”). Run ${script} again.`),
      ];
    return lacking.length === 0
      ? [good(about, 'People replace and remove their own files only.')]
      : [missing(about, `These policies are missing: ${lacking.join('; ')}. Run ${script}.`)];
  });
}
