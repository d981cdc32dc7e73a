import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useRows } from '../../db/use-rows.ts';
import { useLocalWrite } from '../../hooks/use-local-write.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { useUndoable } from '../../hooks/use-undoable.ts';
import { baseOfJob, type JobFacts } from './job-facts.ts';

interface HideJob {
  /** May this person hide jobs? */
  readonly may: boolean;
  /** This tradie has hidden it. */
  readonly isHidden: boolean;
  /** Hides it on all devices of this person, and offers Undo. False where nothing was kept; the person was told. */
  hide(): Promise<boolean>;
  show(): Promise<boolean>;
}

/** "Not Interested": a private mark, which takes the job out of one's own list. */
export function useHideJob(job: JobFacts): HideJob {
  const { id: jobId, title } = job;
  const { toasts, newId } = useApp();
  const { db } = useSessionContext();
  const mark = useMutation('job.mark');
  const marks = useRows(db, ['marks'], (rows) => [...rows.marks.values()].filter((own) => own.jobId === jobId), [
    jobId,
  ]);
  const keep = useLocalWrite();
  const undoable = useUndoable();
  const set = (hidden: boolean) => mark.enqueue({ id: newId(), jobId, title, hidden }, { base: baseOfJob(job) });
  const unhide = () => keep(() => set(false));
  const saying = async (isShown: Promise<boolean>) => {
    if (await isShown) toasts.show({ title: 'Job shown again', description: title });
    return isShown;
  };
  return {
    may: mark.may,
    isHidden: marks.state === 'ready' && marks.value.some(({ hiddenAt }) => hiddenAt !== null),
    hide: async () => {
      const undo = await undoable(() => set(true), unhide);
      if (undo === undefined) return false;
      toasts.show({
        title: 'Job hidden',
        description: `“${title}” is out of your list.`,
        undo: () => void saying(undo()),
      });
      return true;
    },
    show: () => saying(unhide()),
  };
}
