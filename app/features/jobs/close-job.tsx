import { useEffect, useRef, useState } from 'react';
import { second } from '../../../shared/lib/durations.ts';
import { useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { holdMs, type HeldChange } from '../../held/held-changes.ts';
import { useFocusKept } from '../../hooks/use-focus-kept.ts';
import { useHold, useTakeBack } from '../../hooks/use-held.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { outcomeWaitMs } from '../../hooks/show-outcome.ts';
import { Button } from '../../ui/button.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { heldWords } from '../../words/held-words.ts';
import { count } from '../../words/common-words.ts';
import styles from './close-job.module.css';
import type { JobFacts } from './job-facts.ts';

/** The time to read the toast before the dashboard follows. */
const thenDashboardMs = 1_500;

type CloseJobProps = { readonly job: JobFacts; readonly goTo: (path: string) => void };

/**
 * The last thing on the page, because nothing takes it back; so it is held for some seconds, in which the person can.
 */
export function CloseJob({ job, goTo }: CloseJobProps) {
  const context = useSessionContext();
  const close = useMutation('job.close', job);
  const read = useWatched(context.held.now);
  const held = read.state === 'ready' ? read.value.find(({ args }) => args.id === job.id) : undefined;
  const hold = useHold(context);
  const takeBack = useTakeBack(context);
  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(held === undefined ? 0 : 1, button);
  useFocusKept(close.may ? 1 : 0);
  useDashboardAfter(job.id, goTo);
  return (
    <div className={styles.close}>
      <div className={styles.buttons}>
        <Button
          ref={button}
          icon="cross"
          isDisabled={!close.may}
          isBusy={held !== undefined}
          onPress={() => void hold('job.close', { id: job.id }, job.title)}
        >
          Close Job
        </Button>
        {held !== undefined && (
          <Button icon="undo" variant="primary" onPress={() => void takeBack(held)}>
            Undo
          </Button>
        )}
      </div>
      {job.status !== 'closed' && (
        <p className={styles.words}>
          {held !== undefined && <Countdown held={held} />}
          {heldWords['job.close'].why}
          {held === undefined && ` You have ${count(holdMs / second, 'second')} to undo.`}
        </p>
      )}
    </div>
  );
}

/** Said once to a screen reader, which would speak every second of it. */
function Countdown({ held }: { readonly held: HeldChange }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), second);
    return () => clearInterval(ticking);
  }, []);
  const left = Math.min(holdMs / second, Math.max(0, Math.ceil((held.until - now) / second)));
  return (
    <>
      <strong aria-hidden="true" className={styles.countdown}>
        Closing in {count(left, 'second')}.
      </strong>
      <VisuallyHidden>
        <span role="status">Closing this job. Undo is the next button. </span>
      </VisuallyHidden>
    </>
  );
}

/**
 * Closed under this page, it leads to the dashboard once there was time to read so. A person who has navigated
 * elsewhere is not fetched back.
 */
function useDashboardAfter(jobId: string, goTo: (path: string) => void): void {
  const { held, sync } = useSessionContext();
  const go = useRef(goTo);
  useEffect(() => void (go.current = goTo), [goTo]);
  useEffect(() => {
    let leaving: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const stop = held.onMade((made) => {
      if (made.args.id !== jobId || !('uid' in made)) return;
      const leave = ({ kind }: { kind: string }) => {
        if (!isGone && (kind === 'applied' || kind === 'still-waiting'))
          leaving = setTimeout(() => go.current('/dashboard'), thenDashboardMs);
      };
      sync.waitFor(made.uid, outcomeWaitMs).then(leave, () => leave({ kind: 'still-waiting' }));
    });
    return () => {
      isGone = true;
      stop();
      clearTimeout(leaving);
    };
  }, [held, jobId, sync]);
}
