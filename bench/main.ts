import { buildIfStale } from '../scripts/built.mjs';
import { readArguments, refuse } from '../scripts/read-arguments.mjs';
import type { Measure } from './frame/measure.ts';
import { markdownTable } from './frame/report.ts';
import { openFixture } from './frame/fixture.ts';
import { workloads } from './workloads.ts';

/*
 * `npm run bench`: every workload of docs/performance.md. `npm run bench -- B1 B4`: those that measure these rows.
 * `--runs N`: how often each figure is taken (5). `--markdown`: the table as docs/performance.md has it, and no JSON
 * lines.
 */
const use = 'npm run bench [-- B1 B4 … --runs N --markdown]';
const { values, positionals } = readArguments(
  use,
  { runs: { type: 'string', isNumber: true, default: '5' }, markdown: { type: 'boolean', default: false } },
  { allowPositionals: true },
);
const wanted = positionals.map((id) => id.toUpperCase());
const known = workloads.flatMap(({ ids }) => ids);
const strange = wanted.filter((id) => !known.includes(id));
if (strange.length > 0) refuse(use, `There is no ${strange.join(', ')}; there are ${known.join(' ')}.`);
buildIfStale();

/** Twice what the longest takes. A workload that hangs must not lose the others' figures. */
const longestMs = 15 * 60_000;

const say = (words: string) => void process.stderr.write(`${words}\n`);
const fixture = openFixture({ runs: Number(values.runs), say });
const measures: Measure[] = [];
const failed: string[] = [];
process.once('SIGTERM', () => void fixture.close().finally(() => process.exit(143)));
process.once('SIGINT', () => void fixture.close().finally(() => process.exit(130)));
try {
  for (const workload of workloads) {
    if (wanted.length > 0 && !workload.ids.some((id) => wanted.includes(id))) continue;
    const begun = performance.now();
    try {
      for (const line of await ended(workload.run(fixture))) {
        measures.push(line);
        if (!values.markdown) process.stdout.write(`${JSON.stringify(line)}\n`);
      }
    } catch (error) {
      // The other workloads go on; the end says that this one has no figures.
      failed.push(workload.ids.join(' '));
      say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    say(`${workload.ids.join(' ')} took ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  }
} finally {
  await fixture.close();
}
process.stdout.write(`${values.markdown ? '' : '\n'}${markdownTable(measures)}\n`);
if (failed.length > 0) say(`Not measured: ${failed.join(', ')}`);
// A workload that did not end may still hold a browser.
process.exit(failed.length > 0 ? 1 : 0);

function ended<T>(work: Promise<T>): Promise<T> {
  const timeout = new Promise<never>((_resolve, reject) =>
    setTimeout(() => reject(new Error('It did not end within 15 minutes.')), longestMs).unref(),
  );
  return Promise.race([work, timeout]);
}
