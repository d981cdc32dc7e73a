import { appDefects } from './app-defects.ts';
import type { Defect } from './defect.ts';
import { serverDefects } from './server-defects.ts';

/** Mistakes that others have made, or that we might: each must be caught, or the rules prove nothing. */
export const defects: readonly Defect[] = [...serverDefects, ...appDefects];

/** Few of them, in which each rule that catches any of all may catch one. */
export function fewDefects(): Defect[] {
  const covered = new Set<string>();
  return defects.filter(({ caughtBy, isInFew = false }) => {
    const isNew = caughtBy.some((rule) => !covered.has(rule));
    for (const rule of caughtBy) covered.add(rule);
    return isNew || isInFew;
  });
}
