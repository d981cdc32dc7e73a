import { reportOf, type TestReport } from './tally.ts';

/**
 * Tests that watch a screen while it changes, where two cores may be too slow: docs/decisions/0010. Every other test
 * runs once.
 */
const mayBeSeenAgain = [
  /\/e2e\/(?:looks-[a-z-]+|keyboard(?:-tradie)?|first-paint|long-lists|every-flow-online)\.spec\.ts$/,
  /\/e2e\/(?:motion|navigation|phone-shape|small-phone|sun-mode|high-contrast|find-jobs-(?:layout|panes)|journeys)\.spec\.ts$/,
  /\/e2e\/(?:distance|hidden-jobs|slow-first-visit|engine-routes|engine-many-jobs)\.spec\.ts$/,
  /\/e2e\/(?:toast-place|small-things|rows-and-columns)\.spec\.ts$/,
  /\/app\/(?:routes|ui|features|parts)\/.+\.dom\.test\.tsx$/,
];
/** More failures are no accident. */
const maxFiles = 2;

/**
 * The specs of a red run that are run once more: none where anything failed that may not be seen again, or too much
 * did.
 */
export function specsToRepeat(report: TestReport | undefined): string[] {
  const failed = [
    ...new Set((report?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name)),
  ];
  return failed.length <= maxFiles && failed.every((name) => mayBeSeenAgain.some((which) => which.test(name)))
    ? failed
    : [];
}

/** The report as it would be if these specs had not been run. */
export function without(report: TestReport, specs: readonly string[]): TestReport {
  return reportOf((report.testResults ?? []).filter(({ name }) => !specs.includes(name)));
}
