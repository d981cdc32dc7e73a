import { withConnection } from '../db/connection.ts';
import type { DeviceDb, Person } from './device-db.ts';

/** The install marker, in another database than the one it is for: this person's database existed here (C4). */
export function createDeviceMark(db: DeviceDb, userId: string): { read(): Promise<boolean>; write(): Promise<void> } {
  const key = `mark:${userId}` as const;
  return {
    read: async () => (await withConnection(db, () => db.entries.get(key))) !== undefined,
    write: () => withConnection(db, async () => void (await db.entries.put({ key, value: true }))),
  };
}

/**
 * Is this device still theirs? Not where they have logged out, or another person came: then nothing of theirs is
 * written here any more.
 */
export async function isTheirDevice(db: DeviceDb, userId: string): Promise<boolean> {
  const [person, ...marks] = await withConnection(db, () =>
    db.entries.bulkGet(['person', `leaving:${userId}`, `emptied:${userId}`]),
  );
  return (person?.value as Person | undefined)?.userId === userId && marks.every((mark) => mark === undefined);
}
