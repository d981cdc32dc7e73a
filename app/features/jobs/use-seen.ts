import { useEffect, useRef, useState } from 'react';
import type { Interest } from '../../../shared/tables/index.ts';
import { useApp } from '../../context/app-context.ts';
import { useMutation } from '../../hooks/use-mutation.ts';

/** Notes that the owner has opened this interest. True for as long as it stands on the screen for the first time. */
export function useSeen(interest: Interest): boolean {
  const { log } = useApp();
  const { may, enqueue } = useMutation('interest.see', interest);
  const [isNew] = useState(interest.seenAt === null);
  const isNoted = useRef(false);
  useEffect(() => {
    if (!may || interest.seenAt !== null || isNoted.current) return;
    isNoted.current = true;
    // The person has asked for nothing: where it cannot be kept, it counts as new the next time.
    enqueue({ id: interest.id }).catch((error: unknown) =>
      log('seen-unkept', error instanceof Error ? error.name : ''),
    );
  }, [enqueue, interest.id, interest.seenAt, log, may]);
  return isNew;
}
