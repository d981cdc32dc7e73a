import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defects } from './defects.ts';
import { plantedIn } from './plant.ts';

const root = new URL('../../', import.meta.url).href;

/**
 * Plants one bug into the modules that are loaded from now on: the module's text is replaced between the disk and the
 * engine, so that the product's own files have no switch for it. Fails where the text it replaces is missing.
 */
export function register(name: string | undefined): void {
  if (name === undefined) return;
  const defect = defects.find((one) => one.name === name);
  if (defect === undefined) throw new Error(`There is no planted bug "${name}".`);
  const files = new Set(defect.changes.map(({ file }) => root + file));
  registerHooks({
    load: (url, context, next) => {
      if (!files.has(url)) return next(url, context);
      const source = plantedIn(readFileSync(fileURLToPath(url), 'utf8'), url.slice(root.length), defect);
      return { format: 'module-typescript', source: source!, shortCircuit: true };
    },
  });
}
