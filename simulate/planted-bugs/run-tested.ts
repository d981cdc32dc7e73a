import { join, relative } from 'node:path';
import { loadConfigFromFile } from 'vite';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { createVitest, type TestProject, type Vitest } from 'vitest/node';
import { plantedIn } from './plant.ts';
import type { TestedDefect } from './defect.ts';
import { testedDefects } from './tested-defects.ts';

const root = join(import.meta.dirname, '../..');

/** Long enough for any of these tests on a slow machine; one that hangs because of a bug ends here. */
const testTimeoutMs = 20_000;

/** The kinds of tests that vitest.config.ts defines. */
async function readKinds(): Promise<TestProjectInlineConfiguration[]> {
  const found = await loadConfigFromFile({ command: 'serve', mode: 'test' }, join(root, 'vitest.config.ts'));
  return (
    (found?.config as { test?: { projects?: TestProjectInlineConfiguration[] } } | undefined)?.test?.projects ?? []
  );
}

/** Which of them this file is. */
function kindOf(kinds: readonly TestProjectInlineConfiguration[], file: string): TestProjectInlineConfiguration {
  const name = /\.(dom|pg)\.test\.ts$/.exec(file)?.[1] ?? 'unit';
  const found = kinds.find(({ test }) => test?.name === name);
  if (found === undefined) throw new Error(`vitest.config.ts has no project "${name}".`);
  return found;
}

/**
 * One more project: the same tests of one file, over modules with the bug in them; or over those of the product, to
 * show that they pass there.
 */
function projectWith(
  kind: TestProjectInlineConfiguration,
  name: string,
  file: string,
  defect: TestedDefect | undefined,
): TestProjectInlineConfiguration {
  const plant = {
    name: 'plant',
    enforce: 'pre' as const,
    transform: (source: string, id: string) =>
      defect === undefined ? undefined : plantedIn(source, relative(root, id.split('?')[0]!), defect),
  };
  const { include: _include, exclude: _exclude, ...test } = kind.test ?? {};
  return {
    ...kind,
    root,
    plugins: [plant, ...(kind.plugins ?? [])],
    test: { ...test, name, include: [file], testTimeout: testTimeoutMs, retry: 0 },
  };
}

const sound = (file: string) => `sound ${file}`;

/**
 * Plants each bug and runs the one test that must fail there; the same tests must pass over the product as it is.
 * Nearly all in one run of vitest. Reports the outcome of each.
 */
export async function runTested(plant?: string): Promise<{ caught: number; missed: number }> {
  const planted = testedDefects.filter(({ name }) => plant === undefined || name === plant);
  const alone = planted.filter(({ isInSchema }) => isInSchema === true);
  const together = planted.filter((defect) => !alone.includes(defect));
  const failed = new Set<TestedDefect>();
  const unsound = new Set<string>();
  const goes = [
    { defects: together, files: [...new Set(planted.map(({ caughtBy }) => caughtBy.file))] },
    ...alone.map((defect) => ({ defects: [defect], files: [] as string[] })),
  ];
  for (const { defects, files } of goes) {
    await inVitest(defects, files, (vitest) => {
      for (const defect of defects) if (outcomeOf(vitest, defect.name) === 'failed') failed.add(defect);
      for (const file of files) if (outcomeOf(vitest, sound(file)) !== 'passed') unsound.add(file);
    });
  }
  for (const defect of planted) {
    const { file, test } = defect.caughtBy;
    const why = unsound.has(file) ? ', where it fails without the defect too' : '';
    console.log(`${isCaught(defect) ? 'caught' : 'MISSED'}  ${defect.name}: by "${test}" in ${file}${why}`);
  }
  const caught = planted.filter(isCaught).length;
  return { caught, missed: planted.length - caught };

  function isCaught(defect: TestedDefect): boolean {
    return failed.has(defect) && !unsound.has(defect.caughtBy.file);
  }
}

/** One run of vitest: these bugs, and the tests of these files without any. `look` is called when all have ended. */
async function inVitest(
  defects: readonly TestedDefect[],
  files: readonly string[],
  look: (vitest: Vitest) => void,
): Promise<void> {
  if (defects.length + files.length === 0) return;
  const kinds = await readKinds();
  const projects = [
    ...files.map((file) => projectWith(kindOf(kinds, file), sound(file), file, undefined)),
    ...defects.map((defect) =>
      projectWith(kindOf(kinds, defect.caughtBy.file), defect.name, defect.caughtBy.file, defect),
    ),
  ];
  // A module that another bug has changed must not be tested with this one.
  const vitest = await createVitest(
    'test',
    { config: false, root, watch: false, reporters: [{}], maxWorkers: 2, fsModuleCache: false },
    { root, test: { projects } },
  );
  try {
    await vitest.standalone();
    const testsOf = (file: string) =>
      testedDefects.filter(({ caughtBy }) => caughtBy.file === file).map(({ caughtBy }) => caughtBy.test);
    await vitest.runTestSpecifications([
      ...files.map((file) => specify(projectNamed(vitest, sound(file)), file, testsOf(file))),
      ...defects.map(({ name, caughtBy: { file, test } }) => specify(projectNamed(vitest, name), file, [test])),
    ]);
    look(vitest);
  } finally {
    await vitest.close();
  }
}

function projectNamed(vitest: Vitest, name: string): TestProject {
  const found = vitest.projects.find((project) => project.name === name);
  if (found === undefined) throw new Error(`There is no project "${name}".`);
  return found;
}

function specify(project: TestProject, file: string, tests: readonly string[]) {
  const escaped = tests.map((test) => test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return project.createSpecification(join(root, file), { testNamePattern: new RegExp(escaped.join('|')) });
}

/** The outcome of the tests that ran; a file that would not load has run none, and neither passed nor failed. */
function outcomeOf(vitest: Vitest, project: string): 'passed' | 'failed' | 'did not run' {
  const modules = vitest.state.getTestModules().filter((module) => module.project.name === project);
  const states = modules
    .flatMap((module) => [...module.children.allTests()])
    .map((test) => test.result().state)
    .filter((state) => state !== 'skipped' && state !== 'pending');
  if (states.length === 0) return 'did not run';
  return states.includes('failed') ? 'failed' : 'passed';
}
