import { useCallback, useLayoutEffect, useRef } from 'react';
import type { Mark } from '../../../shared/tables/index.ts';
import { useApp } from '../../context/app-context.ts';
import { useLocalWrite } from '../../hooks/use-local-write.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { useUndoable } from '../../hooks/use-undoable.ts';
import type { CompanionWrites } from '../../sync/mutate.ts';

type Named = Pick<Mark, 'jobId' | 'title'>;

interface Shortlist {
  /** May this person keep jobs for later? */
  readonly may: boolean;
  /**
   * Puts it on the shortlist, on all devices of this person, or takes it off, and offers Undo. False where nothing was
   * kept; the person was told. `base`: as for a mutation.
   */
  set(job: Named, isKept: boolean, before?: Pick<Mark, 'remindAt'>, base?: CompanionWrites['base']): Promise<boolean>;
  /** When the person's devices remind them of it; null: never. */
  remind(job: Named, at: string | null): Promise<boolean>;
}

/** "Save for later": a private mark, which leaves the job in the list. */
export function useShortlist(): Shortlist {
  const { toasts, newId } = useApp();
  const mark = useMutation('job.mark');
  const keep = useLocalWrite();
  const undoable = useUndoable();
  return {
    may: mark.may,
    set: async ({ jobId, title }, isWanted, before, base = []) => {
      const opposite = { id: newId(), jobId, shortlisted: !isWanted };
      const undo = await undoable(
        () => mark.enqueue({ id: newId(), jobId, title, shortlisted: isWanted }, { base }),
        () =>
          keep(() =>
            mark.enqueue({ ...opposite, ...(before?.remindAt != null && { remindAt: before.remindAt }) }, { base }),
          ),
      );
      if (undo === undefined) return false;
      toasts.show({
        title: isWanted ? 'Saved for later' : 'No longer saved for later',
        description: title,
        undo: () => void undo(),
      });
      return true;
    },
    remind: ({ jobId }, at) => keep(() => mark.enqueue({ id: newId(), jobId, remindAt: at })),
  };
}

/** For the cards of a list: the same function while the list is the same. Undefined where this person keeps no jobs. */
export function useToggleShortlisted(
  marks: ReadonlyMap<string, Mark> | undefined,
): ((job: { readonly id: string; readonly title: string }) => void) | undefined {
  const shortlist = useShortlist();
  const latest = useRef({ shortlist, marks });
  useLayoutEffect(() => {
    latest.current = { shortlist, marks };
  });
  const toggle = useCallback(({ id, title }: { readonly id: string; readonly title: string }) => {
    const mark = latest.current.marks?.get(id);
    void latest.current.shortlist.set({ jobId: id, title }, mark === undefined, mark);
  }, []);
  return shortlist.may ? toggle : undefined;
}
