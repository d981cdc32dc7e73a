import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';
import { useRows } from '../db/use-rows.ts';
import type { Restored } from '../sync/journal.ts';
import { useLocalWrite } from './use-local-write.ts';

interface Gone {
  readonly gone: number;
  readonly wentBack: number;
  readonly wasTaken: boolean;
  readonly dismiss: () => void;
}

/** How many items left this phone, or went back, because the server's database was restored, until the person has read it. */
export function useGone({ db }: { readonly db: PersonDb }): Gone {
  const keep = useLocalWrite();
  const read = useRows(db, ['meta/restored'], ({ meta }) => meta.get('restored')?.value as Restored | undefined, []);
  const { gone, wentBack = 0 } = (read.state === 'ready' && read.value) || { gone: 0 };
  return {
    gone,
    wentBack,
    wasTaken: gone + wentBack > 0,
    dismiss: () =>
      void keep(() =>
        withConnection(db, () =>
          db.transaction('rw', 'meta', async () => {
            const { older, held } = { ...((await db.meta.get('restored'))?.value as Partial<Restored> | undefined) };
            // Another restore is being counted.
            await (older === undefined
              ? db.meta.delete('restored')
              : db.meta.put({ key: 'restored', value: { gone: 0, older, held } satisfies Restored }));
          }),
        ),
      ),
  };
}
