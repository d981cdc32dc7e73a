import type { Log } from '../../lib/log.ts';
import { ProbeFailure, type Probe } from '../../ports/readiness-probe.ts';

/** Milliseconds in which each check has to answer; a balancer asks again soon. */
const timeoutMs = 2_000;

export interface Check {
  /** `down` where it is not there. */
  state: 'ok' | 'down';
  /** Milliseconds it took to answer. */
  ms: number;
  /** Whether readiness depends on it. */
  isNeeded: boolean;
  says: string;
  /** When it was asked. */
  at: string;
}

export type Checks = { readonly [Name in Probe['name']]?: Check };

export interface Readiness {
  checks: Checks;
  /** Why this instance cannot serve; empty where it can. */
  reasons: string[];
}

interface ReadinessParts {
  log: Pick<Log, 'warn'>;
  clock: () => Date;
  probes: readonly Probe[];
}

/**
 * Runs all checks at once, each with a timeout. Runs a check anew once its answer is older than its probe allows, so
 * readiness recovers by itself.
 */
export function createReadiness({ log, clock, probes }: ReadinessParts): () => Promise<Readiness> {
  const known = new Map<Probe, { check: Check; until: number }>();
  const asking = new Map<Probe, Promise<Check>>();

  async function askNow(probe: Probe): Promise<Check> {
    const at = clock().toISOString();
    const began = performance.now();
    const tell = (state: Check['state'], says: string): Check => ({
      state,
      ms: Math.round(performance.now() - began),
      isNeeded: probe.isNeeded,
      says,
      at,
    });
    const signal = AbortSignal.timeout(timeoutMs);
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new ProbeFailure('it does not answer in time')), timeoutMs);
    try {
      return tell('ok', await Promise.race([probe.ask(signal), tooLate]));
    } catch (error) {
      if (!(error instanceof ProbeFailure))
        log.warn({ probe: probe.name, err: error }, 'something the server leans on does not answer');
      return tell('down', error instanceof ProbeFailure ? error.message : 'it does not answer');
    } finally {
      clearTimeout(timer);
    }
  }

  async function ask(probe: Probe): Promise<Check> {
    const last = known.get(probe);
    if (last !== undefined && last.until > performance.now()) return last.check;
    // Concurrent requests cause one check.
    const under = asking.get(probe) ?? askNow(probe).finally(() => asking.delete(probe));
    asking.set(probe, under);
    const check = await under;
    known.set(probe, { check, until: performance.now() + probe.keepMs });
    return check;
  }

  return async () => {
    const asked = await Promise.all(probes.map(async (probe) => [probe.name, await ask(probe)] as const));
    const reasons = asked
      .filter(([, { state, isNeeded }]) => state === 'down' && isNeeded)
      .map(([name, { says }]) => `${name}: ${says}`);
    return { checks: Object.fromEntries(asked), reasons };
  };
}
