import { useEffect } from 'react';
import type { SessionContext } from '../../context/app-context.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { waitingOf } from '../../words/waiting.ts';
import { setAppBadge } from '../../pwa/app-badge.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';

/** The link to "Waiting to send", shown as long as something waits or was not accepted. */
export function WaitingLink({ context }: { readonly context: SessionContext }) {
  const way = useUnsynced(context);
  const attention = way.state === 'ready' ? waitingOf(way.value).needPerson : 0;
  useEffect(() => void setAppBadge(navigator, attention), [attention]);
  // The number is this person's: it goes with them.
  useEffect(() => () => void setAppBadge(navigator, 0), [context]);
  if (way.state !== 'ready') return null;
  const { changes, photos, needPerson } = waitingOf(way.value);
  if (needPerson > 0) {
    return (
      <LinkButton href="/waiting" variant="plain" icon="alert">
        <VisuallyHidden>{'Needs you: '}</VisuallyHidden>
        {needPerson}
      </LinkButton>
    );
  }
  if (changes + photos === 0) return null;
  return (
    <LinkButton href="/waiting" variant="plain" icon="send">
      <VisuallyHidden>{'Waiting to send: '}</VisuallyHidden>
      {changes + photos}
    </LinkButton>
  );
}
