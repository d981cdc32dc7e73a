import { useApp, useSessionContext, type AlertMoment } from '../context/app-context.ts';
import { useWatched } from '../context/use-watched.ts';
import { useDeferredImport } from '../hooks/use-deferred-import.ts';
import { useNeedsSignal } from '../hooks/use-needs-signal.ts';

const load = () => import('./alerts-offer.tsx');

/** Where alerts are offered, after what makes them worth something: our own words first, and the browser's question only after a tap. */
export function OfferedAlerts({ after, about }: Omit<AlertMoment, 'userId'>) {
  const { alerts, alertMoment, log } = useApp();
  const { userId } = useSessionContext();
  const moment = useWatched(alertMoment);
  const isOff = useWatched(alerts.state) === 'off';
  const hasSignal = useNeedsSignal() === undefined;
  const isHere = moment?.userId === userId && moment.after === after && moment.about === about;
  const isOffered = isHere && isOff && hasSignal;
  const offer = useDeferredImport(isOffered, load, (fault) => log('alerts-offer', String(fault)));
  return isOffered && offer !== undefined ? <offer.AlertsOffer after={after} /> : null;
}
