import type { PersonDb } from '../db/person-db.ts';

/** What waits in the outbox for a file that a restore has taken from storage, by its index. */
export const waitingForFile = (db: PersonDb) => db.outbox.where('restoring').equals('file-missing');
