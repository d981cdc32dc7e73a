import { EditTradiePage } from '../features/tradies/edit-tradie-page.tsx';
import { useGoBack } from './use-go-back.ts';

export function EditTradieRoute() {
  return <EditTradiePage onBack={useGoBack('/dashboard')} />;
}
