import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { root } from './installed.mjs';

/**
 * The sync engine by itself as one minified piece: all that is ours in it, rules and protocol included, and no library.
 */
export async function bundleEngine(): Promise<string> {
  const built = (await build({
    root: join(root, 'app'),
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      minify: true,
      rolldownOptions: {
        input: 'sync/create-sync.ts',
        external: (id) => !id.startsWith('.') && !id.startsWith('/') && id !== 'sync/create-sync.ts',
        preserveEntrySignatures: 'strict',
      },
    },
  })) as Rolldown.RolldownOutput;
  return built.output.map((piece) => (piece.type === 'chunk' ? piece.code : '')).join('');
}
