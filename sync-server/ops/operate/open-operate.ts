import type Router from '@koa/router';
import type { Deps } from '../../ports/deps.ts';
import { statusRoutes } from './status-routes.ts';
import type { Watch } from '../health/watch.ts';
import { openRetention } from '../retention/open-retention.ts';
import type { Poke } from '../../sync/poke.ts';
import { adminRoutes } from './admin-routes.ts';
import { createAdminGuard } from './admin-token.ts';
import { leaveOperatorKey, createOperatorToken } from './operator-key.ts';

export interface Operate {
  /** The health page and the admin calls. */
  routers: readonly Router[];
  /** Waits for operations under way. Before the database is closed. */
  close(): Promise<void>;
}

interface OperateSetup extends Deps {
  watch: Watch;
  poke: Pick<Poke, 'listeners' | 'oldestUnsentMs' | 'memory'>;
  /** The address at which commands on this machine reach this server. */
  ownUrl: string;
}

/** Everything for the operator, assembled and running. One to an instance. */
export async function openOperate({ ownUrl, ...parts }: OperateSetup): Promise<Operate> {
  const { config, clock, database } = parts;
  // Only one process can open the embedded database, so commands ask the one that has it.
  const ownToken = database.kind === 'pglite' ? createOperatorToken() : undefined;
  const takeKeyAway =
    ownToken === undefined ? undefined : await leaveOperatorKey(config.dataDir, { url: ownUrl, token: ownToken });
  const tokens = [config.adminToken, ownToken].filter((token) => token !== undefined);
  const guard = createAdminGuard({
    tokens,
    canSignIn: config.adminToken !== undefined,
    isOpenHere: config.demo && !config.production && config.adminToken === undefined,
    clock,
  });
  const retaining = openRetention(parts);
  return {
    routers: [statusRoutes({ ...parts, guard }), adminRoutes({ ...parts, safeBy: config.safeBy }, guard)],
    async close() {
      await takeKeyAway?.();
      await retaining.close();
    },
  };
}
