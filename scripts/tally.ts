import { existsSync, readFileSync } from 'node:fs';

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
}

/** What a vitest run came to, by its JSON report and exit code: a run that failed without a failed test (a file that would not load, no report at all) counts as one failure. */
export function tallyOfReport(report: VitestReport | undefined, code: number): Tally {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const failed = code !== 0 && report.numFailedTests === 0 ? 1 : report.numFailedTests;
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests };
}

/** The same, of a report that may lie in this file. */
export function tallyOf(file: string, code: number): Tally {
  return tallyOfReport(existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport) : undefined, code);
}

export function sum(tallies: Tally[]): Tally {
  return tallies.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }), { passed: 0, failed: 0, skipped: 0 });
}

/** 0 where nothing failed, and under CI nothing was left out either. */
export function exitCodeOf(tally: Tally, ci: boolean): 0 | 1 {
  return tally.failed > 0 || (ci && tally.skipped > 0) || tally.passed === 0 ? 1 : 0;
}
