import { writeFileSync } from 'node:fs';

/** For `npm test`, which adds it to what vitest counted: the same field names. */
export function writeTally(file: string | undefined, { passed, failed }: { passed: number; failed: number }): void {
  if (file === undefined) return;
  writeFileSync(
    file,
    JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: 0, numTodoTests: 0 }),
  );
}
