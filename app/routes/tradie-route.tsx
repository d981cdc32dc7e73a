import { TradiePage } from '../features/tradies/tradie-page.tsx';
import { useGoBack } from './use-go-back.ts';
import { useRowId } from './use-row-id.ts';

export function TradieRoute() {
  const id = useRowId('/tradie/$id');
  return <TradiePage key={id} id={id} onBack={useGoBack('/find-tradies')} />;
}
