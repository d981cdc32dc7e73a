import { useEffect } from 'react';
import { useApp, type SessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { useTakeBack } from '../../hooks/use-held.ts';
import { useShownPath } from '../../hooks/use-shown-path.ts';
import { heldWords } from '../../words/held-words.ts';
import { jobOf, mutationWords } from '../../words/mutation-words.ts';

/**
 * While a change is held the way back is in reach on every page, after a reload too; its own page has it beside the
 * button.
 */
export function HeldNotice({ context }: { readonly context: SessionContext }) {
  const { toasts } = useApp();
  const { held } = context;
  const pathname = useShownPath();
  const read = useWatched(held.now);
  const first = read.state === 'ready' ? read.value[0] : undefined;
  const isElsewhere = first !== undefined && pathname !== `/job/${jobOf(first)}`;
  const takeBack = useTakeBack(context);

  const key = isElsewhere ? first.key : undefined;
  useEffect(() => {
    const now = held.now.current();
    const shown = now.state === 'ready' ? now.value.find((one) => one.key === key) : undefined;
    if (shown === undefined) return undefined;
    const id = toasts.show({
      title: mutationWords(shown, shown.about),
      description: heldWords[shown.name].why,
      // It goes as soon as nothing is held any more. Counted by the clock it would be gone where that was set forward.
      durationMs: Infinity,
      undo: () => void takeBack(shown),
    });
    return () => toasts.dismiss(id);
  }, [held, key, takeBack, toasts]);
  return null;
}
