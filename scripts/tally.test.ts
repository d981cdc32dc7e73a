import { describe, expect, it } from 'vitest';
import { exitCodeOf, failuresOfReport, sum, tallyOfReport } from './tally.ts';

const report = (passed: number, failed: number, pending = 0, todo = 0) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: todo,
});

describe('the tally of a test run', () => {
  it('counts what vitest counted', () => {
    expect(tallyOfReport(report(7, 2, 1, 1), 1)).toEqual({ passed: 7, failed: 2, skipped: 2 });
  });

  it('counts a run that failed without a failed test, or left no report, as a failure', () => {
    expect(tallyOfReport(report(7, 0), 1).failed).toBe(1);
    expect(tallyOfReport(undefined, 0).failed).toBe(1);
  });

  it('counts every test of a suite that could not run, and a file that would not load, as failed', () => {
    expect(tallyOfReport(undefined, 1, 408)).toEqual({ passed: 0, failed: 408, skipped: 0 });
    const broken = { name: 'broken.test.ts', status: 'failed', message: 'No such module', assertionResults: [] };
    expect(
      tallyOfReport({ ...report(7, 2), testResults: [broken, { ...broken, name: 'other.test.ts' }] }, 1).failed,
    ).toBe(4);
  });

  it('prints three of many that failed for one reason, and counts the rest', () => {
    const failed = (n: number) => ({
      fullName: `keeps ${n}`,
      status: 'failed',
      failureMessages: [`Error: PostgreSQL did not start\n  at line ${n}`],
    });
    const told = failuresOfReport({
      ...report(0, 50),
      testResults: [
        {
          name: 'kept.pg.test.ts',
          status: 'failed',
          assertionResults: Array.from({ length: 50 }, (_, n) => failed(n)),
        },
      ],
    });
    expect(told).toHaveLength(4);
    expect(told[3]).toBe('… and 47 more: Error: PostgreSQL did not start');
  });

  it('says what failed and why, and cuts what is long', () => {
    const assertionResults = [
      { fullName: 'adds', status: 'passed', failureMessages: [] },
      {
        fullName: 'takes away',
        status: 'failed',
        failureMessages: [`\u001B[31mnot 3\u001B[39m${' and more'.repeat(1_000)}`],
      },
    ];
    const testResults = [
      { name: 'sums.test.ts', status: 'failed', assertionResults },
      { name: 'broken.test.ts', status: 'failed', message: 'No such module', assertionResults: [] },
      { name: 'good.test.ts', status: 'passed', assertionResults: [] },
    ];
    const [takesAway = '', broken, ...more] = failuresOfReport({ ...report(1, 1), testResults });
    expect(takesAway).toMatch(/^sums\.test\.ts > takes away\nnot 3 and more/);
    expect(takesAway.length).toBeLessThan(800);
    expect([broken, ...more]).toEqual(['broken.test.ts\nNo such module']);
  });

  it('adds up', () => {
    expect(
      sum([
        { passed: 1, failed: 2, skipped: 3 },
        { passed: 10, failed: 20, skipped: 30 },
      ]),
    ).toEqual({ passed: 11, failed: 22, skipped: 33 });
  });

  it('is good only where something passed and nothing failed, and under CI nothing was left out', () => {
    expect(exitCodeOf({ passed: 1, failed: 0, skipped: 0 }, true)).toBe(0);
    expect(exitCodeOf({ passed: 1, failed: 0, skipped: 1 }, false)).toBe(0);
    expect(exitCodeOf({ passed: 1, failed: 0, skipped: 1 }, true)).toBe(1);
    expect(exitCodeOf({ passed: 1, failed: 1, skipped: 0 }, false)).toBe(1);
    expect(exitCodeOf({ passed: 0, failed: 0, skipped: 0 }, false)).toBe(1);
  });
});
