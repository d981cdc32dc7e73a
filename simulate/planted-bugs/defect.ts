import type { InvariantId } from '../checker/violation.ts';
import type { Change } from './plant.ts';

/** A bug that seeds must meet. */
export interface Defect {
  name: string;
  changes: readonly Change[];
  /** The rules that should catch it: the first broken one must be among them. */
  caughtBy: readonly InvariantId[];
  /**
   * The search begins at this seed, where an earlier one ended: a seed gives the same run until the code changes. The
   * first where undefined.
   */
  from?: number;
  /** Among the few also where others are caught by its rules: nothing else shows that the rules hold there. */
  isInFew?: boolean;
}

/** A bug that heals by itself, or that seeds meet too seldom: one test must fail at once where it is planted. */
export interface TestedDefect {
  name: string;
  changes: readonly Change[];
  /** The file, and the test's own name or a part of it. */
  caughtBy: { file: string; test: string };
  /** It is in code that makes a test's database, which the tests of one run share. */
  isInSchema?: boolean;
}
