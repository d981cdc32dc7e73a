import { ConfigError } from './lib/config.ts';
import { DataDirInUse } from './db/claim-data-dir.ts';
import { DataDirOpen } from './db/keep-private.ts';
import { TimelineEnded } from './db/timeline-fence.ts';
import { hideSecrets } from './lib/hide-secrets.ts';
import { AppNotBuilt } from './pages/static-files.ts';

/** What an operator can correct is one line; our own errors are printed in full. */
export function whyNotStarted(error: unknown): string {
  if (error instanceof ConfigError) return `Configuration: ${error.message}`;
  if (error instanceof DataDirInUse || error instanceof DataDirOpen || error instanceof AppNotBuilt)
    return error.message;
  if (error instanceof TimelineEnded) return `Cannot start: ${error.message}`;
  if (!(error instanceof Error)) return `Cannot start: ${String(error)}`;
  const { code, port, address, syscall } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return `PORT ${port} is taken by another program: stop that one, or give another PORT`;
  if (syscall === 'listen' && code === 'EACCES')
    return `PORT ${port} may not be used by this account: give another PORT`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${address ?? ''} is no address of this machine`;
  return hideSecrets(`Cannot start: ${error.stack ?? error.message}`);
}
