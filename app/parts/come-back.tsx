import { useId, type ReactNode } from 'react';
import type { User } from '../../shared/tables/index.ts';
import { isOver, useComeBack } from '../hooks/use-come-back.ts';
import { useNeedsSignal } from '../hooks/use-needs-signal.ts';
import { Button } from '../ui/button.tsx';
import { DisabledReason } from '../ui/disabled-reason.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { priceWords } from '../words/price-words.ts';
import styles from './come-back.module.css';

interface Standing {
  /** What is owed. */
  readonly owed: string;
  readonly button: string;
}

/** What a tradie whose subscription doesn't run owes, and the button that leads back. */
export function standingOf(status: string | null): Standing {
  if (isOver(status)) {
    return {
      owed: `Your subscription has ended, and you owe nothing. Coming back is ${priceWords.month}, from the day you pay.`,
      button: 'Subscribe Again',
    };
  }
  if (status === 'active' || status === 'trialing')
    return { owed: 'We have not heard that it was paid on. See how it stands.', button: 'See My Subscription' };
  return {
    owed: `Your last payment of ${priceWords.once} (GST included) didn't go through. Pay it, and you carry on at once.`,
    button: 'Pay and Carry On',
  };
}

type ComeBackProps = {
  readonly user: User;
  /** More ways, after the button. */
  readonly children?: ReactNode;
};

/** What is owed, and the one tap to where it is paid. */
export function ComeBack({ user, children }: ComeBackProps) {
  const why = useId();
  const reason = useNeedsSignal();
  const { isBusy, mustCheck, go } = useComeBack(user);
  const { owed, button } = standingOf(user.subscriptionStatus);
  return (
    <div className={styles.back}>
      <p>{owed}</p>
      <div className={styles.ways}>
        {mustCheck ? (
          <LinkButton href="/become-tradie" variant="primary">
            Check My Details
          </LinkButton>
        ) : (
          <Button
            variant="primary"
            icon="arrowRight"
            isBusy={isBusy}
            busyText="Processing..."
            isDisabled={reason !== undefined}
            aria-describedby={why}
            onPress={go}
          >
            {button}
          </Button>
        )}
        {children}
      </div>
      <DisabledReason id={why} reason={reason} />
      <p className={styles.terms}>
        Cancel when you like. The <TextLink href="/legal#tradies">terms for tradies</TextLink> apply.
      </p>
    </div>
  );
}
