import { withConnection } from '../db/connection.ts';
import type { DeviceDb } from './device-db.ts';

/** The mark, in another database than the one it stands for, that this person's database existed here (C4). */
export function createDeviceMark(db: DeviceDb, userId: string): { read(): Promise<boolean>; write(): Promise<void> } {
  const key = `mark:${userId}` as const;
  return {
    read: async () => (await withConnection(db, () => db.entries.get(key))) !== undefined,
    write: () => withConnection(db, async () => void (await db.entries.put({ key, value: true }))),
  };
}
