import { useEffect, useRef, useState } from 'react';
import { useMutation } from '../../hooks/use-mutation.ts';
import { Button } from '../../ui/button.tsx';
import styles from './close-job.module.css';
import type { JobFacts } from './job-facts.ts';

/** The time to read the toast before the dashboard follows. */
const thenDashboardMs = 1_500;

type CloseJobProps = { readonly job: JobFacts; readonly goTo: (path: string) => void };

/** The last thing on the page, because nothing takes it back. */
export function CloseJob({ job, goTo }: CloseJobProps) {
  const close = useMutation('job.close', job);
  const [isBusy, setBusy] = useState(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A person who has navigated elsewhere meanwhile is not fetched back.
  useEffect(() => () => clearTimeout(leaving.current), []);
  const onClose = async () => {
    setBusy(true);
    const kept = await close.mutate({ id: job.id }, { fallback: 'Failed to close job' });
    setBusy(false);
    if (kept.kind === 'accepted' || kept.kind === 'saved')
      leaving.current = setTimeout(() => goTo('/dashboard'), thenDashboardMs);
  };
  return (
    <div className={styles.close}>
      <div>
        <Button icon="cross" isDisabled={!close.may && !isBusy} isBusy={isBusy} onPress={onClose}>
          Close Job
        </Button>
      </div>
      {job.status !== 'closed' && <p className={styles.words}>A closed job cannot be opened again.</p>}
    </div>
  );
}
