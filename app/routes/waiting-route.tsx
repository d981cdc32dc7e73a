import { WaitingPage } from '../features/sync-status/waiting-page.tsx';
import { useGoTo } from './use-go-to.ts';

export function WaitingRoute() {
  return <WaitingPage goTo={useGoTo()} />;
}
