/** Checks one dependency of the server. */
export interface Probe {
  name: 'database' | 'migrations' | 'notices' | 'storage' | 'auth' | 'billing' | 'disk';
  /**
   * Without it this instance can serve no request, and a balancer should know. Else the rest goes on: a hosted service
   * is away for every instance alike.
   */
  isNeeded: boolean;
  /** Milliseconds for which an answer is cached: a service over the network is not asked at every request. */
  keepMs: number;
  /** What is worth knowing, in a few words. Rejects where it is not there: with a `ProbeFailure` to say why. */
  ask(signal: AbortSignal): Promise<string>;
}

/** Why something is not there, in words for an operator; no secrets. */
export class ProbeFailure extends Error {
  override name = 'ProbeFailure';
}
