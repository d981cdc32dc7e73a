import { alertingEntities } from './alerting.ts';
import { billingEntities } from './billing.ts';
import { embeddedEntities } from './embedded.ts';
import { engineEntities } from './engine.ts';
import { operatingEntities } from './operating.ts';
import { syncedEntities } from './synced.ts';

/** The entity of every table. The migrations make the tables; a test holds the two together. */
export const entities = {
  ...syncedEntities,
  ...engineEntities,
  ...billingEntities,
  ...operatingEntities,
  ...alertingEntities,
  ...embeddedEntities,
} as const;
