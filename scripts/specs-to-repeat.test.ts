import { describe, expect, it } from 'vitest';
import { specsToRepeat, without } from './specs-to-repeat.ts';
import { reportOf, tallyOfReport, type TestReport } from './tally.ts';

function reportOn(files: Record<string, string[]>): TestReport {
  return reportOf(
    Object.entries(files).map(([name, statuses]) => ({
      name: `/house/e2e/${name}.spec.ts`,
      status: statuses.includes('failed') ? 'failed' : 'passed',
      assertionResults: statuses.map((status, at) => ({ fullName: `${name} ${at}`, status })),
    })),
  );
}

describe('what is run again', () => {
  it('is a spec of screens that failed, alone or with one other', () => {
    expect(specsToRepeat(reportOn({ keyboard: ['passed', 'failed'], story: ['passed'] }))).toEqual([
      '/house/e2e/keyboard.spec.ts',
    ]);
    expect(specsToRepeat(reportOn({ 'looks-bad-day': ['failed'], 'keyboard-tradie': ['failed'] }))).toHaveLength(2);
  });

  it('is a test of a screen without a browser, and none of what stores, signs in or sends', () => {
    const ran = (name: string) =>
      specsToRepeat(reportOf([{ name, status: 'failed', assertionResults: [{ fullName: 'it', status: 'failed' }] }]));
    expect(ran('/house/app/routes/while-saving.dom.test.tsx')).toHaveLength(1);
    for (const name of [
      '/house/app/sync/drain.dom.test.ts',
      '/house/app/db/open.dom.test.ts',
      '/house/app/session/session.dom.test.tsx',
      '/house/sync-server/sync/failover.pg.test.ts',
      '/house/shared/law.test.ts',
    ])
      expect(ran(name), name).toEqual([]);
  });

  it('is nothing where data may have been lost', () => {
    for (const name of [
      'nothing-lost',
      'thrown-away',
      'cleared-after-week',
      'another-person',
      'hurt-storage',
      'story',
      'restore',
      'session',
      'subscribe',
      'networks-and-tabs',
      'every-flow-unanswered',
      'become-tradie-unanswered',
    ]) {
      expect(specsToRepeat(reportOn({ [name]: ['failed'] })), name).toEqual([]);
      expect(specsToRepeat(reportOn({ [name]: ['failed'], keyboard: ['failed'] })), name).toEqual([]);
    }
  });

  it('is nothing where too much failed, nothing failed, or it is unknown what did', () => {
    expect(
      specsToRepeat(reportOn({ keyboard: ['failed'], 'first-paint': ['failed'], 'long-lists': ['failed'] })),
    ).toEqual([]);
    expect(specsToRepeat(reportOn({ keyboard: ['passed'] }))).toEqual([]);
    expect(specsToRepeat(undefined)).toEqual([]);
  });

  it('is counted once: the first run without it, and its second', () => {
    const first = reportOn({ keyboard: ['passed', 'failed', 'skipped'], story: ['passed', 'passed'] });
    expect(tallyOfReport(without(first, ['/house/e2e/keyboard.spec.ts']), 0)).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
    });
    expect(tallyOfReport(without(first, []), 1)).toEqual({ passed: 3, failed: 1, skipped: 1 });
  });
});
