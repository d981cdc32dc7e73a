import type { Measure } from './measure.ts';
import type { Fixture } from './fixture.ts';

/** One or more rows of docs/performance.md, measured together because they share what has to be set up. */
export interface Workload {
  /** The rows it measures: `npm run bench -- B1` runs the workloads that name B1. */
  readonly ids: readonly string[];
  run(fixture: Fixture): Promise<Measure[]>;
}
