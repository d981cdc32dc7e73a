import { useState } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { OutboxEntry } from '../../db/person-db.ts';
import { orFull } from '../../db/storage-errors.ts';
import { mutationWords } from '../../words/mutation-words.ts';
import { Question } from './ask-first.tsx';

type CancelQuestionProps = {
  /** The change that is asked about, as it was then. */
  readonly entry: OutboxEntry;
  /** Of the job it is about, where known. */
  readonly jobTitle: string | undefined;
  /** It was sent, or is being sent, while its person reads. */
  readonly hasLeft: boolean;
  readonly onClose: () => void;
  readonly onGivenUp: () => void;
};

/**
 * Is this change to be cancelled? It is no part of the change's item, which may be sent and leave the page while its
 * person reads.
 */
export function CancelQuestion({ entry, jobTitle, hasLeft, onClose, onGivenUp }: CancelQuestionProps) {
  const { toasts } = useApp();
  const { sync } = useSessionContext();
  const [isCancelling, setCancelling] = useState(false);
  const isTooLate = hasLeft && !isCancelling;
  const cancel = async () => {
    setCancelling(true);
    const cancelled = await sync.cancel(entry.uid).catch((error: unknown) => {
      setCancelling(false);
      throw orFull(error);
    });
    if (cancelled.kind === 'cancelled') return onGivenUp();
    toasts.show({
      title: cancelled.kind === 'already-sent' ? "It's on its way already" : 'It is not waiting any more',
      description: 'It can no longer be cancelled.',
      variant: 'destructive',
    });
  };
  return (
    <Question
      question={isTooLate ? 'Too late to cancel' : 'Cancel this?'}
      yes={isTooLate ? undefined : 'Cancel it'}
      act={cancel}
      isOpen
      onClose={onClose}
    >
      {isTooLate
        ? `${mutationWords(entry, jobTitle)} may have been sent by now, and can no longer be cancelled.`
        : `${mutationWords(entry, jobTitle)}: this is only on this phone. It will not be sent, and nothing brings it back.`}
    </Question>
  );
}
