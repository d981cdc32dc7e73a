import { useState } from 'react';
import { useApp, useSessionContext, type AlertOffer } from '../context/app-context.ts';
import { useRows } from '../db/use-rows.ts';
import { useDeclineAlerts } from '../hooks/use-offer-alerts.ts';
import { useLocalWrite } from '../hooks/use-local-write.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { errorWords } from '../words/error-words.ts';
import styles from './alerts-offer.module.css';

const offers: { readonly [After in AlertOffer['after']]: { title: string; says: string } } = {
  search: {
    title: 'Get alerts for this search',
    says: 'We can tell this phone, with Dwang closed too.',
  },
  interest: {
    title: 'Be the first to answer the next one',
    says: 'We can tell this phone when a new job fits one of your saved searches, with Dwang closed too.',
  },
  job: {
    title: 'Hear when a tradie is interested',
    says: 'We can tell this phone when a tradie is interested in your job, with Dwang closed too.',
  },
};
/** Without a saved search there is nothing that a new job could fit. */
const searchFirst =
  'Save a search on Find Jobs, and we can tell this phone when a new job fits it, with Dwang closed too.';

/** Our own explanation, before the browser asks. */
export function AlertsOffer({ after }: Pick<AlertOffer, 'after'>) {
  const { alerts, alertOffer, toasts } = useApp();
  const { userId, db } = useSessionContext();
  const decline = useDeclineAlerts();
  const keep = useLocalWrite();
  const searches = useRows(
    db,
    ['searches'],
    (rows) => [...rows.searches.values()].some(({ removedAt }) => removedAt === null),
    [],
  );
  const hasSearch = searches.state !== 'ready' || searches.value;
  const [isBusy, setBusy] = useState(false);
  // The pressed button goes with the offer, and the focus would be lost.
  const leave = () => setTimeout(() => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }));

  const turnOn = async () => {
    setBusy(true);
    try {
      const state = await alerts.turnOn(userId);
      if (state === 'on') {
        alertOffer.set(null);
        toasts.show({ title: 'Alerts are on', description: 'What and when you choose under Manage Account.' });
      } else {
        await keep(decline);
        toasts.show({
          title: 'Alerts stay off',
          description: 'You can turn them on under Manage Account at any time.',
        });
      }
      leave();
    } catch (error) {
      setBusy(false);
      toasts.show({
        title: 'Error',
        description: errorWords(error, 'Failed to turn on alerts'),
        variant: 'destructive',
      });
    }
  };
  return (
    <Banner tone="info" title={offers[after].title}>
      <p>
        {after === 'interest' && !hasSearch ? searchFirst : offers[after].says} Nothing comes at night, unless you
        choose so. Your browser asks you once more.
      </p>
      <div className={styles.actions}>
        <Button isBusy={isBusy} busyText="Turning on" onPress={turnOn}>
          Turn on alerts
        </Button>
        <Button
          variant="plain"
          isDisabled={isBusy}
          onPress={async () => {
            await keep(decline);
            leave();
          }}
        >
          Not now
        </Button>
      </div>
    </Banner>
  );
}
