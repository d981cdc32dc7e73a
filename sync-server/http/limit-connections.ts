import type { Socket } from 'node:net';
import { minute } from '../../shared/lib/durations.ts';
import type { Log } from '../lib/log.ts';
import { addressBlocks, createTrust } from '../lib/client-address.ts';
import { createConcurrencyLimiter, type ConcurrencyLimits } from './shed-load.ts';

/** False: no more connections from there. */
export type Admit = (socket: Socket) => boolean;

/** Open connections; a school behind one address has a few hundred devices with a stream each. */
const connections: ConcurrencyLimits = { max: Infinity, perAddress: 2_000 };
/** Milliseconds between two lines in the log about it. */
const quiet = minute;

/**
 * Bounds the connections that one client address may hold open, whatever it says on them. Those of trusted proxies
 * carry many clients'.
 */
export function limitConnections(
  proxies: readonly string[],
  log: Pick<Log, 'warn'>,
  rules: ConcurrencyLimits = connections,
): Admit {
  const isTrusted = createTrust(proxies);
  const limiter = createConcurrencyLimiter(rules);
  let told = -Infinity;
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrusted(address)) return true;
    const blocks = addressBlocks(address);
    if (limiter.enter(blocks)) {
      socket.once('close', () => limiter.leave(blocks));
      return true;
    }
    if (performance.now() - told > quiet) {
      told = performance.now();
      log.warn(
        { max: rules.perAddress },
        'one address holds as many connections as it may; a proxy has to be named in TRUSTED_PROXIES',
      );
    }
    return false;
  };
}
