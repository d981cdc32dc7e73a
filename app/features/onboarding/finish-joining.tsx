import { useState } from 'react';
import { useSessionContext } from '../../context/app-context.ts';
import { usePerson } from '../../hooks/use-person.ts';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { priceWords } from '../../words/price-words.ts';
import { readOnboardingDraft } from './onboarding-draft.ts';

/**
 * What was begun on Become a Tradie, or not paid, and leads on; nothing where nothing was begun. Dismissed, it is back
 * at the next visit.
 */
export function FinishJoining() {
  const { userId } = useSessionContext();
  const person = usePerson();
  const [draft] = useState(() => readOnboardingDraft(localStorage, userId));
  const [isLater, setLater] = useState(false);
  if (draft === undefined || isLater || (person.state === 'ready' && person.value?.isTradie === true)) return null;
  const name = draft.businessName.trim();
  return (
    <Banner
      tone="info"
      title="Finish joining"
      announce="none"
      onDismiss={() => setLater(true)}
      actions={
        <LinkButton href="/become-tradie" variant="primary">
          Finish Joining
        </LinkButton>
      }
    >
      What you filled in{name === '' ? '' : ` for ${name}`} is kept on this phone. {priceWords.withTrial}.
    </Banner>
  );
}
