import { useEffect, useRef, useState } from 'react';
import type { Mark } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useRows } from '../../db/use-rows.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { Chip } from '../../ui/chip.tsx';
import { baseOfJob, type JobFacts } from './job-facts.ts';
import styles from './shortlist-control.module.css';
import { useShortlist } from './use-shortlist.ts';

const loadReminder = () => import('./reminder.tsx');

/** "Save for later", and once it is saved, when to be reminded of it. Nothing for who keeps no jobs. */
export function ShortlistControl({ job }: { readonly job: JobFacts }) {
  const { log } = useApp();
  const mark = useMark(job.id);
  const { may, set } = useShortlist();
  const [isChoosing, setChoosing] = useState(false);
  const [before, setBefore] = useState<{ readonly mark: Mark | undefined }>();
  const written = mark?.shortlistedAt != null ? mark : undefined;
  // A tap is shown before it is written, and "Saved" is a promise: until it is durable the words stay.
  const kept = before === undefined ? written : before.mark;
  const toggle = async () => {
    if (before !== undefined) return;
    setBefore({ mark: kept });
    await set({ jobId: job.id, title: job.title }, kept === undefined, kept, baseOfJob(job));
    setBefore(undefined);
  };
  const reminder = useDeferredImport(kept !== undefined, loadReminder, (error) => log('reminder', String(error)));
  const whole = useRef<HTMLDivElement>(null);
  const remindAt = kept?.remindAt;
  const remindedBefore = useRef(remindAt);
  useEffect(() => {
    const isOther = remindedBefore.current !== remindAt;
    remindedBefore.current = remindAt;
    // What was pressed has gone, and the focus with it.
    if (isOther && document.activeElement === document.body) whole.current?.focus({ preventScroll: true });
  }, [remindAt]);
  if (!may || (job.status === 'closed' && kept === undefined)) return null;
  // Its place is kept while the mark is read: what one is reading must not move.
  if (mark === undefined)
    return (
      <div className={styles.later}>
        <div className={styles.row} />
      </div>
    );
  return (
    <div ref={whole} tabIndex={-1} className={styles.later}>
      <div className={styles.row}>
        <Chip icon="bookmark" isOn={kept !== undefined} onPress={() => void toggle()}>
          {kept === undefined ? 'Save for later' : 'Saved for later'}
        </Chip>
        {kept !== undefined && reminder !== undefined && (
          <reminder.Reminder mark={kept} isClosed={job.status === 'closed'} onChoose={() => setChoosing(!isChoosing)} />
        )}
      </div>
      {isChoosing && kept?.remindAt === null && reminder !== undefined && (
        <reminder.ChooseTime mark={kept} onDone={() => setChoosing(false)} />
      )}
    </div>
  );
}

/** This person's mark on a job; null: none; undefined while it is read. */
function useMark(jobId: string): Mark | null | undefined {
  const { db } = useSessionContext();
  const mark = useRows(db, ['marks'], ({ marks }) => [...marks.values()].find((own) => own.jobId === jobId) ?? null, [
    jobId,
  ]);
  return mark.state === 'ready' ? mark.value : undefined;
}
