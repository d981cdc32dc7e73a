import { useParams } from '@tanstack/react-router';
import { TradiePage } from '../features/tradies/tradie-page.tsx';
import { useGoBack } from './use-go-back.ts';

export function TradieRoute() {
  const { id } = useParams({ from: '/tradie/$id' });
  return <TradiePage key={id} id={id} onBack={useGoBack('/find-tradies')} />;
}
