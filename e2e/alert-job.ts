import { protocolVersion, schemaVersion } from '../shared/protocol/version.ts';
import { makeTestId } from '../shared/testing/make.ts';
import { signedIn } from './account.ts';
import type { RunningServer } from './open-server.ts';
import type { Credentials } from './person.ts';

export const alertJob = { title: 'Stand the letterbox up again', description: 'A ute backed into it.' } as const;

/** What the tradie's other device has chosen: alerts at any hour, and one search. */
export async function saveMatchingSearch(server: RunningServer, tradie: Credentials): Promise<void> {
  const api = await signedIn(server, tradie.email, tradie.password);
  const at = new Date().toISOString();
  const anywhere = { region: null, locationId: null, withinKm: null, maxBudget: null, urgencies: [], categoryIds: [] };
  await api.post('/api/sync', {
    protocol: protocolVersion,
    schema: schemaVersion,
    userId: api.userId,
    cookie: null,
    shelves: {},
    awaiting: [],
    mutations: [
      {
        uid: makeTestId(),
        name: 'alerts.choose',
        args: { id: api.userId, choice: { quietFrom: 0, quietTo: 0 } },
        at,
      },
      {
        uid: makeTestId(),
        name: 'search.save',
        args: { id: makeTestId(), name: 'Letterboxes', words: 'letterbox', ...anywhere },
        at,
      },
    ],
  });
}

/** A job that the search finds, posted by its homeowner elsewhere. */
export async function postAlertJob(server: RunningServer, owner: Credentials, title: string): Promise<void> {
  const api = await signedIn(server, owner.email, owner.password);
  await api.post('/api/jobs', {
    title,
    description: alertJob.description,
    urgency: 'soon',
    locationId: 'southland/winton',
    categoryId: 'builder',
  });
}
