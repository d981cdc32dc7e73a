import { useMemo } from 'react';
import { maxPreparedNotes } from '../../shared/tables/fields.ts';
import { useApp, useSessionContext } from '../context/app-context.ts';
import { useRows } from '../db/use-rows.ts';
import { useLocalWrite } from './use-local-write.ts';
import { useMutation } from './use-mutation.ts';
import { usePerson } from './use-person.ts';
import { useUnsynced } from './use-unsynced.ts';

interface PreparedNotes {
  /** The notes in their order; undefined while they are read. */
  readonly notes: readonly string[] | undefined;
  /** Those of them that the server does not have yet. */
  readonly unsent: ReadonlySet<string>;
  /** May this person keep notes? */
  readonly may: boolean;
  readonly isFull: boolean;
  /** False where nothing was kept; the person was told why. */
  add(text: string): Promise<boolean>;
  replace(old: string, text: string): Promise<boolean>;
  /** Offers Undo, which puts it back where it stood. */
  remove(text: string): Promise<boolean>;
}

/** The texts that a tradie keeps to answer jobs with, on all of their devices. */
export function usePreparedNotes(): PreparedNotes {
  const { toasts } = useApp();
  const context = useSessionContext();
  const { db, userId } = context;
  const person = usePerson();
  const prepare = useMutation('note.prepare', person.state === 'ready' ? person.value?.user : undefined);
  const keep = useLocalWrite();
  const read = useRows(db, ['preferences'], ({ preferences }) => preferences.get(userId)?.preparedNotes ?? [], [
    userId,
  ]);
  const way = useUnsynced(context);
  const outbox = way.state === 'ready' ? way.value.outbox : undefined;
  const unsent = useMemo(
    () =>
      new Set(
        (outbox ?? []).flatMap(({ name, args }) => {
          const { add } = args as { readonly add?: string };
          return name === 'note.prepare' && add !== undefined ? [add.trim()] : [];
        }),
      ),
    [outbox],
  );
  const notes = read.state === 'ready' ? read.value : undefined;
  return {
    notes,
    unsent,
    may: prepare.may,
    isFull: (notes?.length ?? 0) >= maxPreparedNotes,
    add: (text) => keep(() => prepare.enqueue({ id: userId, add: text })),
    replace: (old, text) => keep(() => prepare.enqueue({ id: userId, add: text, remove: old })),
    remove: async (text) => {
      const before = notes?.[notes.indexOf(text) + 1];
      const isKept = await keep(() => prepare.enqueue({ id: userId, remove: text }));
      const undo = () =>
        void keep(() => prepare.enqueue({ id: userId, add: text, ...(before === undefined ? {} : { before }) }));
      if (isKept) toasts.show({ title: 'Prepared note deleted', undo });
      return isKept;
    },
  };
}
