import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Goes to a path of this app; a screen needs no more of the router. */
export function useGoTo(): (path: string) => void {
  const navigate = useNavigate();
  return useCallback((path: string) => void navigate({ href: path }), [navigate]);
}
