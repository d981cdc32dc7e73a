import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { JSONReport, JSONReportSuite, JSONReportTest } from '@playwright/test/reporter';
import { root } from './installed.mjs';
import { reportOf, type TestedFile, type TestReport } from './tally.ts';

/** The report of a Playwright run; undefined where it left none. */
export function readBrowserReport(file: string): TestReport | undefined {
  return existsSync(file) ? browserReport(JSON.parse(readFileSync(file, 'utf8')) as JSONReport) : undefined;
}

/**
 * Playwright’s report in the form of vitest’s. A test that did not run because one before it failed counts as failed,
 * and so does one that passed only when it was run once more. An error outside of any test is a file that would not
 * load.
 */
export function browserReport({ config, suites, errors }: JSONReport): TestReport {
  const files = suites.map((suite): TestedFile => {
    const tests = testsOf(suite, []);
    const isFailed = tests.some(({ status }) => status === 'failed');
    return { name: join(config.rootDir, suite.file), status: isFailed ? 'failed' : 'passed', assertionResults: tests };
  });
  const unread = errors.map(({ location, message = '' }): TestedFile => ({
    name: location?.file ?? 'playwright',
    status: 'failed',
    message,
  }));
  return reportOf([...files, ...unread]);
}

type Tested = NonNullable<TestedFile['assertionResults']>[number];

function testsOf({ specs, suites = [] }: JSONReportSuite, groups: readonly string[]): Tested[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.map((test) => ({ fullName: [...groups, title].join(' '), ...outcomeOf(test) })),
  );
  return [...own, ...suites.flatMap((group) => testsOf(group, [...groups, group.title]))];
}

function outcomeOf({ status, expectedStatus, results }: JSONReportTest): Omit<Tested, 'fullName'> {
  if (status === 'expected') return { status: 'passed' };
  if (status === 'skipped' && expectedStatus === 'skipped') return { status: 'skipped' };
  const errors = results.flatMap((result) => result.errors.map(({ message }) => message));
  const trace = results.flatMap(({ attachments }) => attachments).find(({ name }) => name === 'trace')?.path;
  return {
    status: 'failed',
    failureMessages: errors.length > 0 ? errors : ['Did not run, because a test before it in its file failed.'],
    ...(trace === undefined ? {} : { trace: relative(root, trace) }),
  };
}
