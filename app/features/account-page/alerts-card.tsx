import { useState } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { useOfflineReason } from '../../hooks/use-offline-reason.ts';
import type { PushState } from '../../pwa/push-alerts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DisabledReason } from '../../ui/disabled-reason.tsx';
import { errorWords } from '../../words/error-words.ts';
import { AlertChoices } from './alert-choices.tsx';
import styles from './edit-account-page.module.css';

/** Why alerts cannot be turned on here, where they cannot. */
const why: { readonly [State in PushState]?: string } = {
  unsupported: 'This browser can’t show alerts.',
  install: 'On an iPhone or iPad, add Dwang to your Home Screen first: Share, then Add to Home Screen.',
  blocked: 'Notifications for Dwang are blocked in this browser. Allow them in the browser’s settings for this site.',
};

/** Whether this device tells its person of news with the app closed; and of what, and when, all of their devices do. */
export function AlertsCard({ isTradie }: { readonly isTradie: boolean }) {
  const { alerts, toasts } = useApp();
  const { userId } = useSessionContext();
  const state = useWatched(alerts.state);
  const reason = useOfflineReason();
  const [isBusy, setBusy] = useState(false);
  const isOn = state === 'on';

  const change = async () => {
    setBusy(true);
    try {
      if (isOn) await alerts.turnOff(userId);
      else await alerts.turnOn(userId);
    } catch (error) {
      toasts.show({
        title: 'Error',
        description: errorWords(error, 'Failed to turn on alerts'),
        variant: 'destructive',
      });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Card as="section" labelledBy="alerts">
      <h2 id="alerts">Alerts</h2>
      <p className={styles.status}>
        <Badge tone={isOn ? 'good' : 'neutral'} icon={isOn ? 'checkCircle' : 'crossCircle'}>
          {isOn ? 'On for this device' : 'Off for this device'}
        </Badge>
      </p>
      <p className={styles.note}>
        {isTradie
          ? 'Hear of jobs that match your saved searches, and open them without signal.'
          : 'Hear at once when a tradie is interested in your job.'}{' '}
        You choose below what and when.
      </p>
      {why[state] === undefined ? (
        <div className={styles.foot}>
          <Button
            variant={isOn ? 'quiet' : 'primary'}
            isBusy={isBusy}
            isDisabled={state === 'starting' || (!isOn && reason !== undefined)}
            aria-describedby="alerts-why"
            onPress={change}
          >
            {isOn ? 'Turn off' : 'Turn on alerts'}
          </Button>
          {!isOn && <DisabledReason id="alerts-why" reason={reason} />}
        </div>
      ) : (
        <p className={styles.note}>{why[state]}</p>
      )}
      <AlertChoices isTradie={isTradie} />
    </Card>
  );
}
