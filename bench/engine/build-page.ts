import { join } from 'node:path';
import { build } from 'vite';
import { must } from '../../shared/lib/must.ts';

/**
 * `page.ts` as one script, for a page that it is run in from outside: nothing serves it. `isReadable`: for profiles,
 * with each source's name before its part.
 */
export async function buildPage({ isReadable = false } = {}): Promise<string> {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: isReadable ? false : 'oxc',
      modulePreload: false,
      rolldownOptions: {
        input: join(import.meta.dirname, 'page.ts'),
        // What a page loads when it is needed is here from the start.
        output: { format: 'iife', codeSplitting: false },
      },
    },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const script = must(
    outputs.find((one) => one.type === 'chunk'),
    'the script of the engine’s page',
  );
  return `${script.code}\n//# sourceURL=engine-alone.js`;
}
