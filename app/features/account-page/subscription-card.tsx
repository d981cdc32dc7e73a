import { useEffect, useState } from 'react';
import type { User } from '../../../shared/tables/index.ts';
import { useApp } from '../../context/app-context.ts';
import { ComeBack } from '../../parts/come-back.tsx';
import { usePerson } from '../../hooks/use-person.ts';
import { useOfflineReason } from '../../hooks/use-offline-reason.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DisabledReason } from '../../ui/disabled-reason.tsx';
import { formatDay } from '../../words/dates.ts';
import { errorWords } from '../../words/error-words.ts';
import { priceWords } from '../../words/price-words.ts';
import styles from './edit-account-page.module.css';
import { mustAskUntil, statusLabel, validUntil, type SubscriptionDates } from './subscription-status.ts';

/** A tradie's subscription, and the way to the provider's own page where it is managed. */
export function SubscriptionCard({ user }: { readonly user: User }) {
  const { caller, otherPages, toasts } = useApp();
  const reason = useOfflineReason();
  const person = usePerson();
  const dates = useSubscriptionDates(user, reason === undefined);
  const [isOpening, setOpening] = useState(false);
  const { label, tone, isRunning } = statusLabel(user.subscriptionStatus);
  const until = validUntil(user, dates);
  const runs = person.state !== 'ready' || person.value?.hasSubscription !== false;

  const manage = async () => {
    const tab = otherPages.openTab();
    setOpening(true);
    try {
      tab.goTo((await caller.call('billing.portal')).url);
    } catch (error) {
      tab.close();
      toasts.show({ title: 'Error', description: errorWords(error, 'Failed to open billing'), variant: 'destructive' });
    } finally {
      setOpening(false);
    }
  };

  return (
    <Card as="section" labelledBy="subscription">
      <h2 id="subscription">Subscription</h2>
      <p className={styles.status}>
        <Badge tone={tone} icon={isRunning ? 'checkCircle' : 'crossCircle'}>
          {label}
        </Badge>
        {isRunning && until !== null && <span>until {formatDay(until)}</span>}
      </p>
      {!runs && <ComeBack user={user} />}
      <p className={styles.note}>
        {priceWords.before} a month ({priceWords.once}, GST included). Change your card, see your invoices or cancel
        with Manage Billing; it opens in a new tab.
      </p>
      <div className={styles.foot}>
        <Button
          icon="external"
          isBusy={isOpening}
          isDisabled={reason !== undefined}
          aria-describedby="billing-why"
          onPress={manage}
        >
          Manage Billing
        </Button>
        <DisabledReason id="billing-why" reason={reason} />
      </div>
    </Card>
  );
}

function useSubscriptionDates(user: User, isReachable: boolean): SubscriptionDates | undefined {
  const { caller, now } = useApp();
  const [dates, setDates] = useState<SubscriptionDates>();
  const isWanted = isReachable && mustAskUntil(user, now());
  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    caller.call('billing.subscription', { signal: leaving.signal }).then(
      (answer) => leaving.signal.aborted || setDates(answer),
      // The card is shown without a date; nothing here depends on it.
      () => undefined,
    );
    return () => leaving.abort();
  }, [caller, isWanted]);
  return dates;
}
