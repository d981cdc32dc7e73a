import { useEffect, useRef } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { Button } from '../../ui/button.tsx';
import type { UnsyncedNow } from '../../words/item-state.ts';
import { words } from '../../words/common-words.ts';

/** "Send now", which answers: at once without signal, and else when the attempt is over and what waited still waits. */
export function SendNow({ attempt }: Pick<UnsyncedNow, 'attempt'>) {
  const { toasts, connection } = useApp();
  const { sync } = useSessionContext();
  const { kind } = useWatched(connection);
  const asked = useRef<'no' | 'asked' | 'under-way'>('no');
  useEffect(() => {
    if (asked.current === 'asked' && attempt === 'under-way') asked.current = 'under-way';
    if (asked.current !== 'under-way' || attempt === 'under-way') return;
    asked.current = 'no';
    if (kind === 'offline') toasts.show({ title: words.noSignal, description: words.goesByItself });
    if (kind === 'unreachable') toasts.show({ title: words.notReached, description: words.goesByItself });
  }, [attempt, kind, toasts]);
  const onPress = () => {
    asked.current = 'asked';
    sync.sendNow();
    if (kind === 'offline') toasts.show({ title: words.noSignal, description: words.goesByItself });
  };
  return (
    <Button variant="primary" icon="send" isBusy={attempt === 'under-way' && kind !== 'offline'} onPress={onPress}>
      Send now
    </Button>
  );
}
