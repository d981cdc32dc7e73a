import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Back to where one came from; to `otherwise` where this page was opened from outside. */
export function useGoBack(otherwise: string): () => void {
  const router = useRouter();
  return useCallback(() => {
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ href: otherwise });
  }, [otherwise, router]);
}
