import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Has a file's content, or a folder's names, on the disk when it returns. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The same for everything in a folder, and its own name. */
export function syncFolder(folder: string): void {
  for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true }))
    syncPath(join(parentPath, name));
  syncPath(folder);
  syncPath(dirname(folder));
}
