import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** What is read of vitest’s JSON report; Playwright’s is brought into this form (browser-report.ts). */
export interface TestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults?: TestedFile[];
}

/** `message`: why it would not load. */
export interface TestedFile {
  name: string;
  status: string;
  message?: string;
  assertionResults?: {
    fullName: string;
    status: string;
    failureMessages?: string[] | null;
    /** The path of the trace of a failed browser test, from the root of the repository. */
    trace?: string;
  }[];
}

const maxWords = 700;
/** Failures with one and the same headline that are printed in full; the rest are counted. */
const maxAlike = 3;

/**
 * What a test run came to, by its JSON report and exit code. A run that left no report has failed with every test it
 * was to run (`wanted`), at least one; a file that would not load, and a run that failed without a failed test, count
 * as one failure each.
 */
export function tallyOfReport(report: TestReport | undefined, code: number, wanted = 1): Tally {
  if (report === undefined) return { passed: 0, failed: Math.max(wanted, 1), skipped: 0 };
  const unread = (report.testResults ?? []).filter(
    ({ status, assertionResults = [] }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = report.numFailedTests + unread.length || (code === 0 ? 0 : 1);
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests };
}

/** The report on these files. */
export function reportOf(testResults: TestedFile[]): TestReport {
  const statuses = testResults.flatMap(({ assertionResults = [] }) => assertionResults.map(({ status }) => status));
  const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending', 'skipped', 'disabled'),
    numTodoTests: count('todo'),
    testResults,
  };
}

/** The content of this file; undefined where there is none. */
export function readReport(file: string): TestReport | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TestReport) : undefined;
}

/**
 * What failed and why, a few lines each: a long difference is cut, and of many with one cause three are printed, so
 * that the first failure can still be read at the end of a log.
 */
export function failuresOfReport(report: TestReport): string[] {
  const failures = (report.testResults ?? []).flatMap(({ name, status, message = '', assertionResults = [] }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [{ what: name, why: message }] : [];
    return failed.map(({ fullName, failureMessages, trace }) => ({
      what: `${name} > ${fullName}`,
      why: (failureMessages ?? []).join('\n'),
      trace,
    }));
  });
  return [...Map.groupBy(failures, ({ why }) => headline(why))].flatMap(([cause, alike]) => [
    ...alike.slice(0, maxAlike).map(brief),
    ...(alike.length > maxAlike ? [`… and ${alike.length - maxAlike} more: ${cause}`] : []),
  ]);
}

const headline = (why: string) => stripVTControlCharacters(why).trim().split('\n', 1)[0] ?? '';

function brief({ what, why, trace }: { what: string; why: string; trace?: string | undefined }): string {
  const words = stripVTControlCharacters(why).trim();
  return [
    what,
    words.length > maxWords ? `${words.slice(0, maxWords)} …` : words,
    ...(trace === undefined ? [] : [`npx playwright show-trace --port 0 '${trace}'`]),
  ].join('\n');
}

export function sum(tallies: Tally[]): Tally {
  return tallies.reduce(
    (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** 0 where nothing failed, and under CI nothing was left out either. */
export function exitCodeOf(tally: Tally, ci: boolean): 0 | 1 {
  return tally.failed > 0 || (ci && tally.skipped > 0) || tally.passed === 0 ? 1 : 0;
}
