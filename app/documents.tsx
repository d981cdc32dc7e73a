import type { Documents } from '../shared/inlined.ts';
import { DirectoryDocument } from './features/tradies/directory-document.tsx';
import { TradieDocument } from './features/tradies/tradie-document.tsx';
import { inShell } from './in-shell.tsx';

/*
 * Built for the server (`scripts/vite-prerender.ts`), which draws with it what is in two documents as each is asked for
 * (`sync-server/pages/documents.ts`).
 */

export const tradie: Documents['tradie'] = (inlined) =>
  inShell(<TradieDocument inlined={inlined} />, { isWhole: true });

export const directory: Documents['directory'] = (inlined) =>
  inShell(<DirectoryDocument inlined={inlined} />, { isWhole: true });
