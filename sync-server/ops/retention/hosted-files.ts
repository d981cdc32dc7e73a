import * as z from 'zod';

export const hostedBuckets = ['job-photos', 'tradie-logos'] as const;
export type HostedBucket = (typeof hostedBuckets)[number];

export interface HostedFile {
  /** The whole key: folders and all. */
  name: string;
  updated_at: string | null;
  created_at: string | null;
}

export interface HostedPage {
  files: readonly HostedFile[];
  /** The place where the next page begins; undefined: this was the last. */
  next: string | undefined;
}

/**
 * Files of a hosted project, of every owner. Every call rejects where storage rejects it, or takes longer than
 * `timeoutMs`.
 */
export interface HostedFiles {
  list(bucket: HostedBucket, cursor: string | undefined, stop: AbortSignal): Promise<HostedPage>;
  remove(bucket: HostedBucket, names: readonly string[]): Promise<void>;
}

interface HostedFilesOptions {
  url: string;
  /** May read and remove all files. */
  serviceKey: string;
  fetch: typeof globalThis.fetch;
  /** Milliseconds a call. */
  timeoutMs?: number;
}

/** The hosted service's own most, of either. */
const listedAtOnce = 1_000;
const removedAtOnce = 250;

const page = z.object({
  hasNext: z.boolean(),
  nextCursor: z.string().optional(),
  objects: z.array(
    z.object({ name: z.string().min(1), updated_at: z.string().nullable(), created_at: z.string().nullable() }),
  ),
});

/**
 * Two calls of Supabase's storage: `POST /object/list-v2/{bucket}`, which lists all folders at once by a cursor, and
 * `DELETE /object/{bucket}`.
 */
export function createHostedFiles({ url, serviceKey, fetch, timeoutMs = 20_000 }: HostedFilesOptions): HostedFiles {
  const headers = { apikey: serviceKey, Authorization: `Bearer ${serviceKey}`, 'Content-Type': 'application/json' };

  async function ask(
    method: 'POST' | 'DELETE',
    path: string,
    body: object,
    stops: AbortSignal[] = [],
  ): Promise<unknown> {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...stops]);
    const answer = await fetch(`${url}/storage/v1/object/${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
      signal,
      redirect: 'error',
    });
    if (!answer.ok) throw new Error(`storage answered ${answer.status} to ${method} ${path}`);
    return answer.json();
  }

  return {
    async list(bucket, cursor, stop) {
      const { hasNext, nextCursor, objects } = page.parse(
        await ask('POST', `list-v2/${bucket}`, { limit: listedAtOnce, with_delimiter: false, cursor }, [stop]),
      );
      if (hasNext && (nextCursor === undefined || nextCursor === cursor))
        throw new Error(`storage lists ${bucket} in a circle`);
      return { files: objects, next: hasNext ? nextCursor : undefined };
    },
    async remove(bucket, names) {
      for (let from = 0; from < names.length; from += removedAtOnce)
        await ask('DELETE', bucket, { prefixes: names.slice(from, from + removedAtOnce) });
    },
  };
}
