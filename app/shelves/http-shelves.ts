import { manifestSchema } from '../../shared/protocol/segment.ts';
import type { ShelvesPorts } from './shelves-on-device.ts';

/** `GET /api/sync/shelves/{name}` and `…/{hash}`, with the token where there is one. */
export function createHttpShelves(ports: {
  fetch: typeof fetch;
  accessToken(): Promise<string | null>;
}): Pick<ShelvesPorts, 'fetchSegment' | 'fetchManifest'> {
  async function get(path: string, signal: AbortSignal): Promise<Response> {
    const token = await ports.accessToken();
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    return ports.fetch(`/api/sync/shelves/${path}`, { headers, signal });
  }

  return {
    fetchSegment: async (shelf, hash, signal) => {
      const response = await get(`${shelf}/${hash}`, signal);
      if (response.status === 404) return { kind: 'gone' };
      if (response.status === 401) return { kind: 'unauthorized' };
      if (response.status === 403) return { kind: 'refused' };
      if (!response.ok) throw new Error(`segment: status ${response.status}`);
      return { kind: 'bytes', bytes: new Uint8Array(await response.arrayBuffer()) };
    },
    fetchManifest: async (shelf, signal) => {
      const response = await get(shelf, signal);
      if (!response.ok) throw new Error(`manifest: status ${response.status}`);
      return manifestSchema.parse(await response.json());
    },
  };
}
