import { badRequest } from '../http/http-problem.ts';
import type { Deps } from '../ports/deps.ts';
import { isPushService } from '../push/push-services.ts';
import { endSubscription, saveSubscription } from '../push/subscriptions.ts';
import type { Handlers } from './call-router.ts';

/** Whose browsers are told of news. */
export function alertHandlers({
  config,
  database,
  clock,
}: Deps): Pick<Handlers, 'alerts.subscribe' | 'alerts.unsubscribe'> {
  return {
    'alerts.subscribe': async ({ person, body: { endpoint, keys } }) => {
      if (!isPushService(endpoint, config.pushOrigins))
        throw badRequest('This browser’s push service is not one that we know.', 'invalid', {
          fields: { endpoint: 'This browser’s push service is not one that we know.' },
        });
      await database.transaction((sql) => saveSubscription(sql, person.id, { endpoint, ...keys }, clock()));
      return {};
    },
    'alerts.unsubscribe': async ({ person, body }) => {
      await endSubscription(database.sql, person.id, body.endpoint);
      return {};
    },
  };
}
