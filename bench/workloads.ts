import { engineMoving } from './engine/moving.ts';
import { engineReading } from './engine/reading.ts';
import { engineWriting } from './engine/writing.ts';
import type { Workload } from './frame/workload.ts';
import { manyNewcomers } from './server/many-newcomers.ts';
import { matchSearches } from './server/match-searches.ts';
import { millionJobs } from './server/million-jobs.ts';
import { nothingNew } from './server/nothing-new.ts';
import { oneInterest } from './server/one-interest.ts';
import { manyWriters, sustainedMutations } from './server/sustained-mutations.ts';
import { tenThousandDevices } from './server/ten-thousand-devices.ts';
import { changes } from './workloads/changes.ts';
import { coldStart } from './workloads/cold-start.ts';
import { firstImpression } from './workloads/first-impression.ts';
import { firstSync } from './workloads/first-sync.ts';
import { growth } from './workloads/growth.ts';
import { offlineQueue, offlineWrites } from './workloads/offline-writes.ts';
import { installation } from './workloads/installation.ts';
import { oneBarOfSignal } from './workloads/one-bar.ts';
import { oneWrite } from './workloads/one-write.ts';
import { propagation } from './workloads/propagation.ts';
import { typing } from './workloads/typing.ts';

/** In the order in which they are run and printed. */
export const workloads: readonly Workload[] = [
  firstSync,
  oneBarOfSignal,
  installation,
  coldStart,
  offlineWrites,
  propagation,
  oneWrite,
  changes,
  typing,
  engineReading,
  engineWriting,
  engineMoving,
  growth,
  offlineQueue,
  nothingNew,
  manyNewcomers,
  sustainedMutations,
  manyWriters,
  oneInterest,
  matchSearches,
  millionJobs,
  firstImpression,
  tenThousandDevices,
];
