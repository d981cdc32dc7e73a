import type { MemoryTx } from './memory-store.ts';
import type { Row } from './memory-tables.ts';

export interface Asked {
  tx: MemoryTx;
  /** `$1` first. */
  values: readonly unknown[];
  /** What the pattern caught. */
  caught: readonly string[];
  sql: string;
}

export interface Answered {
  rows: Row[];
  affected?: number;
}

export type Statement = readonly [pattern: RegExp, run: (asked: Asked) => Promise<Answered> | Answered];
