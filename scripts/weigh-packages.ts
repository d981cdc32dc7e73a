import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, minifySync, type Rolldown } from 'vite';
import { root } from './installed.mjs';
import { signedInModules } from './measure-weight.ts';
import { oneLanguage } from './vite-one-language.ts';

/**
 * What one dependency, or our own code (`ours`), costs: with short names and without spaces, in brotli by itself, so
 * the sum is a little more than the files.
 */
export interface PackageWeight {
  readonly name: string;
  /** Bytes of the entry, which every page of the app waits for. */
  readonly first: number;
  /** Bytes that the app fetches for a signed-in person until the first screen is complete, the entry included. */
  readonly signedIn: number;
  /** Bytes of all that is ever loaded. */
  readonly all: number;
}

/** Builds the app in memory and weighs what each package leaves in it, the heaviest first. */
export async function weighPackages(): Promise<PackageWeight[]> {
  const app = join(root, 'app');
  const { output } = (await build({
    root: app,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [react(), oneLanguage()],
    build: { write: false, minify: false, modulePreload: { polyfill: false } },
  })) as Rolldown.RolldownOutput;
  const chunks = new Map(output.flatMap((piece) => (piece.type === 'chunk' ? [[piece.fileName, piece] as const] : [])));

  const closure = (isRoot: (chunk: Rolldown.OutputChunk) => boolean) => {
    const found = new Set<Rolldown.OutputChunk>();
    const visit = (chunk: Rolldown.OutputChunk | undefined) => {
      if (chunk === undefined || found.has(chunk)) return;
      found.add(chunk);
      for (const name of chunk.imports) visit(chunks.get(name));
    };
    for (const chunk of chunks.values()) if (isRoot(chunk)) visit(chunk);
    return codeByPackage(found);
  };
  const later = new Set(signedInModules.map((module) => join(app, module)));
  const first = closure(({ isEntry }) => isEntry);
  const signedIn = closure(
    ({ isEntry, facadeModuleId }) => isEntry || (facadeModuleId !== null && later.has(facadeModuleId)),
  );
  const all = closure(() => true);
  return [...all.keys()]
    .map((name) => ({
      name,
      first: weightOf(first.get(name)),
      signedIn: weightOf(signedIn.get(name)),
      all: weightOf(all.get(name)),
    }))
    .sort((one, other) => other.all - one.all);
}

function codeByPackage(chunks: Iterable<Rolldown.OutputChunk>): Map<string, string> {
  const code = new Map<string, string>();
  for (const chunk of chunks) {
    for (const [id, module] of Object.entries(chunk.modules)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? 'ours';
      code.set(name, `${code.get(name) ?? ''}\n{${module.code ?? ''}\n}`);
    }
  }
  return code;
}

function weightOf(code: string | undefined): number {
  if (code === undefined) return 0;
  const { code: small, errors } = minifySync('package.js', code, { compress: false });
  if (errors.length > 0) throw new Error(errors[0]?.message);
  return brotliCompressSync(small).length;
}
