import { Dexie, type DBCore, type Middleware } from 'dexie';

/** Dexie's own `Promise`, of which its types leave this out: runs `work` in a zone inside the present one. */
const { newPSD: inZone } = Dexie.Promise as unknown as {
  newPSD<T>(work: () => T, properties: { subscr: undefined }): T;
};

/**
 * Dexie refuses to write in the zone of a live query, and what a live query sets off runs in that zone too: where it
 * opens a lost connection again, those who hear of the loss, and all who waited for the opening. What they write is
 * theirs, not the query's, and is written.
 */
export const writesOfOthers: Middleware<DBCore> = {
  stack: 'dbcore',
  name: 'writes-of-others',
  create: (core) => ({
    ...core,
    transaction: (stores, mode, options) =>
      mode === 'readonly'
        ? core.transaction(stores, mode, options)
        : inZone(() => core.transaction(stores, mode, options), { subscr: undefined }),
  }),
};
