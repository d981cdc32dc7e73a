import { Dexie } from 'dexie';
import { expect, test } from 'vitest';
import { isQuotaExceeded, orFull, StorageFull } from './storage-errors.ts';

const browser = (name: string, message: string) => new DOMException(message, name);

test.each([
  ['the quota', browser('QuotaExceededError', 'Quota exceeded')],
  ['a quota behind an aborted transaction', new Dexie.AbortError('aborted', browser('QuotaExceededError', ''))],
  [
    'a full disk, as Chromium says it',
    browser(
      'UnknownError',
      'Internal error opening backing store for indexedDB.open: Encountered full disk while opening backing store.',
    ),
  ],
  [
    'a full disk, as Safari says it',
    browser('UnknownError', 'Failed to store record in object store because the disk is full'),
  ],
  ['a full disk, as Firefox says it', browser('UnknownError', 'NS_ERROR_FILE_NO_DEVICE_SPACE')],
])('%s is no room on this device, in the product’s words', (_what, error) => {
  expect(isQuotaExceeded(error)).toBe(true);
  expect(orFull(error)).toBeInstanceOf(StorageFull);
  expect((orFull(error) as Error).message).toBe('This device has no room left, so this could not be saved.');
});

test('another error stays what it is', () => {
  const other = browser('UnknownError', 'Disk error');
  expect(orFull(other)).toBe(other);
});
