import { EditTradiePage } from '../features/tradies/edit-tradie-page.tsx';
import { useGoBack } from './use-go-back.ts';
import { useGoTo } from './use-go-to.ts';

export function EditTradieRoute() {
  return <EditTradiePage onBack={useGoBack('/dashboard')} goTo={useGoTo()} />;
}
