import type { Workload } from './frame/workload.ts';

/** In the order of issue 6. */
export const workloads: readonly Workload[] = [];
