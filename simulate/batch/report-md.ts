import { allProgress, operationsIn, seedsDone } from './progress.ts';

const kinds = ['fault', 'refusal', 'outcome', 'conflict', 'reset', 'client', 'cancelling', 'made'] as const;
const grouped = (count: number) => count.toLocaleString('en-NZ');

/** What was run on this machine, as docs/correctness.md shows it. */
export function reportMd(): string {
  const batches = allProgress();
  const totals = new Map<string, number>();
  for (const { progress } of batches)
    for (const [what, count] of Object.entries(progress.counts)) totals.set(what, (totals.get(what) ?? 0) + count);
  const lines = batches.map(({ name, progress }) => {
    const operations = operationsIn(progress);
    return `| ${name} | ${grouped(seedsDone(progress))} | ${grouped(operations)} | ${grouped(Math.round(operations / (progress.cpuMs / 1_000)))} | ${grouped(Math.round(progress.virtualMs / 3_600_000))} | ${grouped(progress.counts['a state checked'] ?? 0)} | ${progress.failed.length} |`;
  });
  const table = (kind: string) => {
    const rows = [...totals]
      .filter(([what]) => what.startsWith(`${kind}: `))
      .toSorted((one, other) => other[1] - one[1]);
    return rows.length === 0
      ? []
      : [
          '',
          `**${kind}**: ${rows.map(([what, count]) => `${what.slice(kind.length + 2)} ${grouped(count)}`).join(', ')}.`,
        ];
  };
  return [
    '| batch | seeds run | operations | a second of one core | virtual hours | states checked | broken |',
    '|---|---|---|---|---|---|---|',
    ...lines,
    ...kinds.flatMap(table),
  ].join('\n');
}
