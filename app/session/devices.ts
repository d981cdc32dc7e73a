/** A device or browser on which the person is signed in. */
export interface SignedInDevice {
  readonly id: string;
  /** As a person would say it: `Chrome on Android`; '' where it is not known. */
  readonly name: string;
  /** ISO instant, exact to some minutes. */
  readonly lastUsedAt: string;
  readonly isThis: boolean;
}

export interface Devices {
  /** The last used first; `unlisted` where the provider has no such list. */
  list(): Promise<readonly SignedInDevice[] | 'unlisted'>;
  /** Signs that one out. One that has signed out meanwhile is no error. */
  end(id: string): Promise<void>;
  /** Signs out every device but this one. */
  endOthers(): Promise<void>;
}

interface DevicePorts {
  fetch: typeof fetch;
  accessToken(): Promise<string | null>;
  endOthers(): Promise<void>;
}

interface Listed {
  id: string;
  device: string;
  last_used_at: string;
  is_current: boolean;
}

/**
 * Asks our own server, which knows the sessions where sign-in is embedded in it. With a hosted provider it answers 404.
 */
export function createDevices({ fetch, accessToken, endOthers }: DevicePorts): Devices {
  async function ask(path: string, method: 'GET' | 'DELETE'): Promise<Response> {
    const token = await accessToken();
    if (token === null) throw new Error('Sign in again to see your devices.');
    const response = await fetch(`/auth/v1/sessions${path}`, {
      method,
      cache: 'no-store',
      headers: { Authorization: `Bearer ${token}` },
    });
    if (!response.ok && response.status !== 404)
      throw new Error('We couldn’t reach your list of devices. Try again in a moment.');
    return response;
  }

  return {
    list: async () => {
      const response = await ask('', 'GET');
      if (response.status === 404) return 'unlisted';
      const listed = (await response.json()) as Listed[];
      return listed.map(({ id, device, last_used_at: lastUsedAt, is_current: isThis }) => ({
        id,
        name: device,
        lastUsedAt,
        isThis,
      }));
    },
    end: async (id) => void (await ask(`/${id}`, 'DELETE')),
    endOthers,
  };
}
