import * as z from 'zod';

/** What the register of New Zealand business numbers says of a number. */
export interface Registered {
  isRegistered: boolean;
  entityName: string | undefined;
}

/** The register did not say anything: away, slow, out of order, or it does not take our key. */
export class RegisterUnavailable extends Error {
  override name = 'RegisterAway';
}

/** @throws RegisterAway */
export type AskRegister = (nzbn: string) => Promise<Registered>;

const base = 'https://api.business.govt.nz/gateway/nzbn/v5/entities/';
const timeoutMs = 3_000;
/** `entityStatusCode` of an entity that is registered. */
const registered = '50';

const entity = z.object({ entityName: z.string().nullish(), entityStatusCode: z.string() });

export function createAskRegister({ apiKey, fetch }: { apiKey: string; fetch: typeof globalThis.fetch }): AskRegister {
  return async (nzbn) => {
    const answer = await ask(fetch, nzbn, apiKey);
    if (answer.status === 404) return { isRegistered: false, entityName: undefined };
    if (answer.status !== 200) throw new RegisterUnavailable(`it answers ${answer.status}`);
    const read = entity.safeParse(answer.body);
    if (!read.success) throw new RegisterUnavailable('it answers something else');
    return { isRegistered: read.data.entityStatusCode === registered, entityName: read.data.entityName ?? undefined };
  };
}

async function ask(
  fetch: typeof globalThis.fetch,
  nzbn: string,
  apiKey: string,
): Promise<{ status: number; body: unknown }> {
  const headers = { Accept: 'application/json', 'Ocp-Apim-Subscription-Key': apiKey };
  try {
    const response = await fetch(base + encodeURIComponent(nzbn), {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      status: response.status,
      body: response.status === 200 ? await response.json() : await response.body?.cancel(),
    };
  } catch (cause) {
    throw new RegisterUnavailable('it does not answer', { cause });
  }
}
