import { readConfig, readKept, type Config, type ConfigPorts } from '../session/config.ts';

export interface Configured {
  /** The device's copy at once where there is one; else the server's answer. Rejects with words for the person. */
  wait(): Promise<Config>;
  /** What has been obtained so far; requests nothing and waits for nothing. */
  current(): Config | undefined;
}

/** A failed attempt is forgotten, so that the next one asks again. */
export function createConfigured(ports: ConfigPorts): Configured {
  let waiting: Promise<Config> | undefined;
  let obtained: Config | undefined;

  async function obtain(): Promise<Config> {
    const kept = await readKept(ports);
    if (kept === undefined) return readConfig(ports);
    // The newer configuration is for the next start; a warm start does not wait for it.
    readConfig(ports).catch((error: unknown) => ports.log('config', String(error)));
    return kept;
  }

  return {
    wait: () => {
      waiting ??= obtain().then(
        (config) => (obtained = config),
        (error: unknown) => {
          waiting = undefined;
          throw error;
        },
      );
      return waiting;
    },
    current: () => obtained,
  };
}
