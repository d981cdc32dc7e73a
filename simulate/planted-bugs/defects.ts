import { appDefects } from './app-defects.ts';
import type { Defect } from './defect.ts';
import { serverDefects } from './server-defects.ts';

/** Mistakes that others have made, or that we might: each must be caught, or the rules prove nothing. */
export const defects: readonly Defect[] = [...serverDefects, ...appDefects];
