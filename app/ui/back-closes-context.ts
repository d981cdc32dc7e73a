import { createContext } from 'react';

/**
 * For what lies over the page: the browser's Back calls `close` in place of leaving the page. What comes back is called
 * once it is closed in another way.
 */
export type BackCloses = (close: () => void) => () => void;

export const BackClosesContext = createContext<BackCloses>(() => () => undefined);
