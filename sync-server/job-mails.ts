import { randomUUID } from 'node:crypto';
import type { Deps } from './ports/deps.ts';
import { readPreferences } from './alerts/alert-preferences.ts';
import type { JobMails } from './effects/unsubscribe-routes.ts';
import { decideRequest } from './sync/decide-request.ts';

/**
 * A tradie's choice of mails about new jobs, as a link in such a mail changes it: by the mutation that their own screen
 * runs.
 */
export function createJobMails(deps: Deps): JobMails {
  return {
    areWanted: async (userId) => (await readPreferences(deps.database.sql, userId)).mailJobs !== 'off',
    want: async (userId, wanted) => {
      const args = { id: userId, choice: { mailJobs: wanted ? ('daily' as const) : ('off' as const) } };
      const call = 'alerts.choose';
      const outcome = await decideRequest(deps, userId, {
        uid: randomUUID(),
        call,
        input: args,
        plan: () => [{ name: call, args }],
      });
      if (outcome.status !== 'applied') throw new Error(`the choice was ${outcome.status}`);
    },
  };
}
