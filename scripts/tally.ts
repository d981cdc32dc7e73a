import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** What is read of vitest’s JSON report. */
export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** A file each; `message`: why it would not load. */
  testResults?: { name: string; status: string; message?: string; assertionResults?: { fullName: string; status: string; failureMessages?: string[] | null }[] }[];
}

const mostWords = 700;

/** What a vitest run came to, by its JSON report and exit code: a run that failed without a failed test (a file that would not load, no report at all) counts as one failure. */
export function tallyOfReport(report: VitestReport | undefined, code: number): Tally {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const failed = code !== 0 && report.numFailedTests === 0 ? 1 : report.numFailedTests;
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests };
}

/** What lies in this file; undefined where there is none. */
export function readReport(file: string): VitestReport | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport) : undefined;
}

/** What failed and why, a few lines each: a long difference is cut, so that the first failure can still be read at the end of a log. */
export function failuresOfReport(report: VitestReport): string[] {
  return (report.testResults ?? []).flatMap(({ name, status, message = '', assertionResults = [] }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [brief(name, message)] : [];
    return failed.map(({ fullName, failureMessages }) => brief(`${name} > ${fullName}`, (failureMessages ?? []).join('\n')));
  });
}

function brief(what: string, why: string): string {
  const words = stripVTControlCharacters(why).trim();
  return `${what}\n${words.length > mostWords ? `${words.slice(0, mostWords)} …` : words}`;
}

export function sum(tallies: Tally[]): Tally {
  return tallies.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }), { passed: 0, failed: 0, skipped: 0 });
}

/** 0 where nothing failed, and under CI nothing was left out either. */
export function exitCodeOf(tally: Tally, ci: boolean): 0 | 1 {
  return tally.failed > 0 || (ci && tally.skipped > 0) || tally.passed === 0 ? 1 : 0;
}
