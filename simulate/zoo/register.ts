import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defects } from './defects.ts';

const root = new URL('../../', import.meta.url).href;

/**
 * Plants one defect of the zoo into whatever is loaded from now on: the module's text is changed between the disk and the engine, so that
 * the product's own files have no switch for it. Fails where the text it changes is not there any more.
 */
export function register(name: string | undefined): void {
  if (name === undefined) return;
  const defect = defects.find((one) => one.name === name);
  if (defect === undefined) throw new Error(`There is no defect "${name}" in the zoo.`);
  registerHooks({
    load: (url, context, next) => {
      const changes = defect.changes.filter(({ file }) => url === root + file);
      if (changes.length === 0) return next(url, context);
      let source = readFileSync(fileURLToPath(url), 'utf8');
      for (const { file, was, is } of changes) {
        if (source.split(was).length !== 2) throw new Error(`${name}: ${file} must hold this exactly once: ${was}`);
        source = source.replace(was, () => is);
      }
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}
