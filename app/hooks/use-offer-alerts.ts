import { useCallback } from 'react';
import { day } from '../../shared/lib/durations.ts';
import { useApp, useSessionContext, type AlertOffer } from '../context/app-context.ts';

/** Who said "Not now" is not asked again for so long. */
const declinedForMs = 90 * day;
const declinedKey = 'alertsDeclined';

/**
 * The person has done what makes alerts of use to them: they are offered, unless this device has them, cannot, or
 * was told not to.
 */
export function useOfferAlerts(): (offer: Omit<AlertOffer, 'userId'>) => void {
  const { alerts, alertOffer, now, log } = useApp();
  const { db, userId } = useSessionContext();
  return useCallback(
    (offer) => {
      // Not known yet, just after the page was opened: it is shown once it is known that this device has none.
      if (!['off', 'starting'].includes(alerts.state.current())) return;
      db.meta.get(declinedKey).then(
        (declined) => {
          const at = Date.parse(String(declined?.value));
          if (!(Date.parse(now()) - at < declinedForMs)) alertOffer.set({ ...offer, userId });
        },
        (error: unknown) => log('alerts-offer', error instanceof Error ? error.name : typeof error),
      );
    },
    [alertOffer, alerts, db, log, now, userId],
  );
}

/** "Not now", remembered until this person logs out here, 90 days at most. */
export function useDeclineAlerts(): () => Promise<void> {
  const { alertOffer, now } = useApp();
  const { db } = useSessionContext();
  return useCallback(async () => {
    alertOffer.set(null);
    await db.meta.put({ key: declinedKey, value: now() });
  }, [alertOffer, db, now]);
}
