import type { JSONReport, JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter';
import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { browserReport } from './browser-report.ts';
import { root } from './installed.mjs';
import { specsToRepeat } from './specs-to-repeat.ts';
import { failuresOfReport, tallyOfReport } from './tally.ts';

type Status = JSONReportSpec['tests'][number]['status'];

/** As much of a report as Playwright 1.65 writes and is read here. */
function spec(title: string, status: Status, more: { error?: string; trace?: string; isLeftOut?: boolean } = {}) {
  const errors = more.error === undefined ? [] : [{ message: more.error }];
  const attachments =
    more.trace === undefined ? [] : [{ name: 'trace', contentType: 'application/zip', path: more.trace }];
  const expectedStatus = more.isLeftOut === true ? 'skipped' : 'passed';
  return {
    title,
    tests: [{ status, expectedStatus, results: [{ errors, attachments }] }],
  } as unknown as JSONReportSpec;
}

const suite = (title: string, specs: JSONReportSpec[], suites: JSONReportSuite[] = []) =>
  ({ title, file: title, specs, suites }) as JSONReportSuite;

const report = (suites: JSONReportSuite[], errors: JSONReport['errors'] = []) =>
  browserReport({ config: { rootDir: join(root, 'e2e') }, suites, errors } as unknown as JSONReport);

describe('the report of the browser tests', () => {
  it('counts what did not run after a failure as failed, and only what was left out on purpose as skipped', () => {
    const read = report([
      suite('story.spec.ts', [
        spec('signs up', 'expected'),
        spec('posts', 'unexpected', { error: 'Error: not there' }),
        spec('answers', 'skipped'),
        spec('prints', 'skipped', { isLeftOut: true }),
      ]),
    ]);
    expect(tallyOfReport(read, 1)).toEqual({ passed: 1, failed: 2, skipped: 1 });
    expect(failuresOfReport(read)[1]).toContain('answers\nDid not run');
  });

  it('counts the tests of groups, by the names of both', () => {
    const read = report([
      suite(
        'lists.spec.ts',
        [],
        [suite('jobs', [spec('are there', 'expected')]), suite('tradies', [spec('are there', 'expected')])],
      ),
    ]);
    expect(read.testResults?.[0]?.assertionResults?.map(({ fullName }) => fullName)).toEqual([
      'jobs are there',
      'tradies are there',
    ]);
    expect(tallyOfReport(read, 0)).toEqual({ passed: 2, failed: 0, skipped: 0 });
  });

  it('counts a test that passed only when it was run once more as failed', () => {
    const read = report([suite('story.spec.ts', [spec('signs up', 'flaky', { error: 'Error: too late' })])]);
    expect(tallyOfReport(read, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('names the trace of a failed test, however long its error', () => {
    const trace = join(root, 'node_modules/.cache/dwang/reports/browser-traces/story/trace.zip');
    const read = report([
      suite('story.spec.ts', [spec('posts', 'unexpected', { error: 'long '.repeat(1_000), trace })]),
    ]);
    expect(failuresOfReport(read)[0]).toMatch(
      /\nnpx playwright show-trace --port 0 'node_modules\/\.cache\/dwang\/reports\/browser-traces\/story\/trace\.zip'$/,
    );
  });

  it('counts a file that would not load, and an error after the last test, as a failure', () => {
    const late = { message: 'Error: late', location: { file: join(root, 'e2e/keyboard.spec.ts'), line: 1, column: 1 } };
    expect(tallyOfReport(report([], [{ message: 'Cannot find module' }]), 1)).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
    });
    const read = report([suite('keyboard.spec.ts', [spec('signs in', 'expected')])], [late]);
    expect(tallyOfReport(read, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(specsToRepeat(read)).toEqual([join(root, 'e2e/keyboard.spec.ts')]);
  });
});
