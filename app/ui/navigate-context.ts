import { createContext } from 'react';

/** Goes to a path of this app without a reload; given by `UiProvider`. Without one, a link does what links do. */
export const NavigateContext = createContext<((path: string) => void) | undefined>(undefined);
