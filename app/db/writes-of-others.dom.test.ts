import { liveQuery } from 'dexie';
import { expect, it } from 'vitest';
import { onConnectionLost, withConnection } from './connection.ts';
import { openPersonDb } from './person-db.ts';

it('[C5] a draft is kept that is written as a query of the page opens the lost connection again', async () => {
  const db = openPersonDb('typing');
  const draft = { key: 'post-job', value: 'Patch the water tank', savedAt: '' };
  const written = new Promise((resolve, reject) => {
    onConnectionLost(db, () => void withConnection(db, () => db.drafts.put(draft)).then(resolve, reject));
  });
  const counts: number[] = [];
  let isLost = false;
  const query = liveQuery(async () =>
    withConnection(db, async () => {
      if (!isLost) {
        isLost = true;
        await db.drafts.count();
        // As the browser does when it clears a site's data.
        db.backendDB().close();
      }
      return db.drafts.count();
    }),
  ).subscribe((count) => counts.push(count));
  expect(await written).toBe('post-job');
  await expect.poll(() => counts.at(-1)).toBe(1);
  query.unsubscribe();
  db.close();
});
