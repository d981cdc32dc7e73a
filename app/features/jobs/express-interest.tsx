import { useState, type FormEvent } from 'react';
import { useApp } from '../../context/app-context.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FieldLock } from '../../ui/field-lock.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './express-interest.module.css';
import type { JobFacts } from './job-facts.ts';

type ExpressInterestProps = {
  readonly job: JobFacts;
  /** By this device's clock, which may be wrong, the subscription is over. */
  readonly isPastEnd: boolean;
  readonly goTo: (path: string) => void;
};

/** A note if one likes, and one tap. What is typed is kept until it is queued. */
export function ExpressInterest({ job, isPastEnd, goTo }: ExpressInterestProps) {
  const { newId, offerInstallAfter } = useApp();
  const express = useMutation('interest.express', job);
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    await express.mutate(
      { id: newId(), jobId: job.id, note },
      { fallback: 'Failed to express interest', onAccepted: () => offerInstallAfter('first-interest') },
    );
    setBusy(false);
  };
  return (
    <Card as="section" labelledBy="express">
      <form className={styles.form} onSubmit={submit}>
        <h2 id="express">Express Interest</h2>
        <p>Your business name, email and phone are shared with the homeowner automatically. They contact you.</p>
        {isPastEnd && (
          <Banner tone="warn" announce="none">
            By this phone's clock your subscription has ended. You can still send your interest: our server decides, and
            you hear of it.
          </Banner>
        )}
        <FieldLock isLocked={isBusy}>
          <TextField
            label="Note to the homeowner"
            isOptional
            isMultiline
            rows={4}
            maxLength={1_000}
            isCounted={note.length > 800}
            value={note}
            onChange={(next) => isBusy || setNote(next)}
          />
        </FieldLock>
        <div className={styles.buttons}>
          <Button onPress={() => goTo('/find-jobs')}>Not Interested</Button>
          <Button type="submit" variant="primary" icon="send" isBusy={isBusy} busyText="Sending">
            Express Interest
          </Button>
        </div>
      </form>
    </Card>
  );
}
