import { useRouterState } from '@tanstack/react-router';

/** The path of the page that is on the screen: while the next page is loaded, the router's location is ahead of it. */
export function useShownPath(): string {
  return useRouterState({ select: (state) => (state.resolvedLocation ?? state.location).pathname });
}
