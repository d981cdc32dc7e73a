import { act, render } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { AppContext, type App } from '../context/app-context.ts';
import type { Slot } from '../db/draft-slots.ts';
import { openPersonDb, type PersonDb } from '../db/person-db.ts';
import { createCell } from '../lib/cell.ts';
import { initialStatus } from '../sync/status.ts';
import { useTypedText, type TypedText } from './use-typed-text.ts';

/* The drafts answer when the test lets them: in a browser that takes from a moment to a second. */

const userId = makeTestId();
let db: PersonDb;
beforeEach(() => {
  db = openPersonDb(userId);
});
afterEach(() => db.delete());

test('a letter that is typed in the very moment in which the draft was read is not lost', async () => {
  let found = (_slot: Slot) => undefined as void;
  const drafts = { take: () => new Promise<Slot>((resolve) => (found = resolve)) };
  const sync = { status: createCell(initialStatus) };
  const authState = createCell({ kind: 'signed-in', context: { userId, db, drafts, sync } });
  const app = { authState, now: () => new Date().toISOString(), toasts: { show: () => undefined } } as unknown as App;
  let typed!: TypedText;
  let isRead = false;
  function Field() {
    const own = useTypedText('note');
    // The page is drawn, and what is to be done after the drawing has not been yet.
    useLayoutEffect(() => {
      typed = own;
      if (isRead) own.change('Th');
      isRead = false;
    });
    return <output>{own.text}</output>;
  }
  const { container } = render(
    <AppContext value={app}>
      <Field />
    </AppContext>,
  );
  act(() => typed.change('T'));
  expect(container).toHaveTextContent('T');
  await act(async () => {
    isRead = true;
    found({ key: 'note', draft: undefined, release: () => undefined });
  });
  expect(container).toHaveTextContent('Th');
  expect(typed.text).toBe('Th');
});
