import type { Measure } from './measure.ts';

const verdict = ({ reached }: Measure) => (reached === null ? '' : reached ? 'yes' : '**no**');
const figure = (value: number | null) =>
  value === null ? '' : value.toLocaleString('en-NZ', { maximumSignificantDigits: 4 });

/** The table of docs/performance.md, ready to be pasted. */
export function markdownTable(measures: readonly Measure[]): string {
  const head = ['', 'Workload', 'Median', 'Unit', 'Runs', 'Floor', 'x floor', 'To reach', 'Reached'];
  const rows = measures.map((one) => [
    one.id,
    one.name,
    figure(one.median),
    one.unit,
    String(one.runs.length),
    figure(one.floor),
    one.ratio === null ? '' : one.ratio.toFixed(2),
    one.target,
    verdict(one),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    line(head.map((_name, at) => ([2, 4, 5, 6].includes(at) ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}
