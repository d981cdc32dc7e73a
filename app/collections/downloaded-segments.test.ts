import { expect, test } from 'vitest';
import { createDownloadedSegments } from './downloaded-segments.ts';

test('a downloaded segment is given to those who read its collection, until they end it', () => {
  const downloaded = createDownloadedSegments();
  const heard: string[] = [];
  const end = downloaded.hear('feed', (hash, text) => heard.push(`${hash} ${text}`));
  downloaded.hear('directory', () => heard.push('the directory'));
  downloaded.put('feed', 'one', 'text');
  end();
  downloaded.put('feed', 'two', 'text');
  expect(heard).toEqual(['one text']);
});
