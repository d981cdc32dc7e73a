import { useApp, useSessionContext, type AlertOffer } from '../context/app-context.ts';
import { useWatched } from '../context/use-watched.ts';
import { useDeferredImport } from '../hooks/use-deferred-import.ts';
import { useOfflineReason } from '../hooks/use-offline-reason.ts';

const load = () => import('./alerts-offer.tsx');

/**
 * Where alerts are offered, after what makes them worth something: our own words first, and the browser's question only
 * after a tap.
 */
export function OfferedAlerts({ after, about }: Omit<AlertOffer, 'userId'>) {
  const { alerts, alertOffer, log } = useApp();
  const { userId } = useSessionContext();
  const offered = useWatched(alertOffer);
  const isOff = useWatched(alerts.state) === 'off';
  const hasSignal = useOfflineReason() === undefined;
  const isHere = offered?.userId === userId && offered.after === after && offered.about === about;
  const isOffered = isHere && isOff && hasSignal;
  const offer = useDeferredImport(isOffered, load, (error) => log('alerts-offer', String(error)));
  return isOffered && offer !== undefined ? <offer.AlertsOffer after={after} /> : null;
}
