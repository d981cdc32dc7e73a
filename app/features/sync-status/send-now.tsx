import { useEffect, useRef, useState } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { slowAfterMs } from '../../sync/status.ts';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/common-words.ts';
import { isServerAway } from '../../words/reach-words.ts';
import type { UnsyncedNow } from '../../words/item-state.ts';

/**
 * "Send now", which answers: at once without signal, after some seconds where no answer comes, and when the attempt is
 * over and what waited still waits.
 */
export function SendNow({ attempt }: Pick<UnsyncedNow, 'attempt'>) {
  const { toasts, connection } = useApp();
  const { sync } = useSessionContext();
  const { kind } = useWatched(connection);
  const [isAsked, setAsked] = useState(false);
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!isAsked) return undefined;
    if (attempt === 'under-way') {
      hasBegun.current = true;
      const waiting = setTimeout(
        () => toasts.show({ title: words.noAnswerYet, description: words.keepsTrying, icon: 'clock' }),
        slowAfterMs,
      );
      return () => clearTimeout(waiting);
    }
    if (!hasBegun.current) return undefined;
    hasBegun.current = false;
    setAsked(false);
    const found = connection.current().kind;
    if (found === 'offline') toasts.show({ title: words.noSignal, description: words.goesByItself, icon: 'cloudOff' });
    if (isServerAway(found)) toasts.show({ title: words.notReached, description: words.keepsTrying, icon: 'cloudOff' });
    return undefined;
  }, [attempt, connection, isAsked, toasts]);
  const onPress = () => {
    setAsked(true);
    sync.sendNow();
    if (kind === 'offline') toasts.show({ title: words.noSignal, description: words.goesByItself, icon: 'cloudOff' });
  };
  return (
    <Button
      variant="primary"
      icon="send"
      isBusy={isAsked && attempt === 'under-way' && kind !== 'offline'}
      onPress={onPress}
    >
      Send now
    </Button>
  );
}
