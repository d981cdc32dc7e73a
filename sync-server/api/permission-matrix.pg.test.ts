import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callNames } from '../../shared/api/index.ts';
import { openCallsHarness, roles, type CallsHarness } from '../testing/calls-harness.ts';
import { permissionMatrix, type MatrixRow } from '../testing/permission-matrix.ts';
import { askCell, askRow } from '../testing/run-matrix.ts';
import { usualDatabase } from '../testing/test-db.ts';

test('every call is in the matrix [§settled]', () => {
  expect([...new Set(permissionMatrix.map(({ call }) => call))].toSorted()).toEqual(callNames.toSorted());
});

describe.each(usualDatabase)('who may make which call, on %s', (kind) => {
  let harness: CallsHarness;
  beforeAll(async () => {
    harness = await openCallsHarness(kind);
  });
  afterAll(() => harness.close());

  test.each(permissionMatrix)('$call, $about [§6, §7, §settled]', async (row) => {
    const { expect: came } = await askRow(harness, row);
    expect(came).toEqual(row.expect);
  });

  const nowhere = permissionMatrix.filter(({ about }) => about === 'no job' || about === 'no profile');
  const hidden = permissionMatrix
    .filter(({ about }) => !nowhere.some((row) => row.about === about))
    .flatMap((row) => {
      const absent = nowhere.find(
        ({ call, about }) => call === row.call && about.endsWith(row.about.split(' ').at(-1)!),
      );
      const unknowing = roles.filter(
        (role) => row.expect[role].startsWith('404') && row.expect[role] === absent?.expect[role],
      );
      return absent === undefined || unknowing.length === 0 ? [] : [{ ...row, absent, unknowing }];
    });
  test('things that some callers may not know of are among them', () => {
    expect(new Set(hidden.map(({ call }) => call))).toEqual(
      new Set(['jobs.close', 'jobs.edit', 'jobs.express', 'jobs.interests', 'jobs.read', 'tradies.edit']),
    );
  });
  test.each(hidden)(
    '$call, $about: a caller who may not know gets word for word the answer for a thing that is not there',
    async ({ absent, unknowing, ...row }) => {
      for (const role of unknowing) {
        const [there, nothing] = [await askCell(harness, row as MatrixRow, role), await askCell(harness, absent, role)];
        expect([role, there.status, there.text, telling(there.headers)]).toEqual([
          role,
          nothing.status,
          nothing.text,
          telling(nothing.headers),
        ]);
      }
    },
  );
});

/** Headers that could tell, without those that are new every time. */
function telling(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
}
