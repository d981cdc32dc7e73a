import type { Phase } from './state.ts';

/** The network, as real requests found it. */
export type Reach =
  | 'unknown'
  | 'online'
  /** Answers come, but slowly. */
  | 'slow'
  /** No answer comes at all. */
  | 'offline'
  /** Something answers, but not our server, or our server is failing. */
  | 'unreachable';

/** For the state bar. The number of waiting changes is a live query over `outbox`. */
export interface SyncStatus {
  phase: Phase;
  /** An exchange is under way, also while `phase` still names an obstacle. */
  isAsking: boolean;
  reach: Reach;
  /** ISO instant, as people are shown it (`heardAt`); null before the first answer. */
  lastSynced: string | null;
  /** This tab leads. */
  isLeader: boolean;
  /** `storage-blocked` because the storage is full; what is saved can be read. */
  isStorageFull: boolean;
  /** The device's storage does not answer a request: only a reload helps. */
  isDiskSilent: boolean;
  /**
   * How often this device was seen to have lost its data since `dismissCleared` (C4): what is held in memory is written
   * again each time.
   */
  evictions: number;
  /** Another tab brought a newer app, or wiped the storage: only a reload helps here. */
  isReplaced: boolean;
  /** The database does not open because another tab holds it. */
  isOpenBlocked: boolean;
  /** Signed in, but onboarding is not finished. */
  isProfileMissing: boolean;
}

export const initialStatus: SyncStatus = {
  phase: 'idle',
  isAsking: false,
  reach: 'unknown',
  lastSynced: null,
  isLeader: false,
  isStorageFull: false,
  isDiskSilent: false,
  evictions: 0,
  isReplaced: false,
  isOpenBlocked: false,
  isProfileMissing: false,
};

/** From here an answer is slow. */
export const slowAfterMs = 4_000;
