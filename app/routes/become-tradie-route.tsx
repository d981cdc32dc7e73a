import { BecomeTradiePage } from '../features/onboarding/become-tradie-page.tsx';
import { useGoBack } from './use-go-back.ts';

export function BecomeTradieRoute() {
  return <BecomeTradiePage onBack={useGoBack('/dashboard')} />;
}
