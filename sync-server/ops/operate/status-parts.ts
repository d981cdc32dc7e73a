import { html, type Html } from '../../../shared/lib/html.ts';
import type { Minute } from '../health/exchange-stats.ts';

/** A table that scrolls by itself where it is too wide. A heading that begins with `#` is over figures. */
export function table(
  caption: string,
  headings: readonly string[],
  rows: readonly (readonly (string | Html)[])[],
): Html {
  const kinds = headings.map((heading) => (heading.startsWith('#') ? 'figure' : ''));
  const lines = rows.map(
    ([first, ...rest]) =>
      html`<tr>
        <th scope="row">${first}</th>
        ${rest.map((one, at) => html`<td class="${kinds[at + 1]}">${one}</td>`)}
      </tr>`,
  );
  const heads = headings.map(
    (heading, at) => html`<th scope="col" class="${kinds[at]}">${heading.replace('#', '')}</th>`,
  );
  const id = `table-${caption.toLowerCase().replaceAll(/\W+/g, '-')}`;
  return html`<div class="wide" tabindex="0" role="region" aria-label="${caption}" id="${id}">
    <table>
      <thead>
        <tr>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${lines}
      </tbody>
    </table>
  </div>`;
}

/** Names with their values, as tiles. */
export function figures(pairs: readonly (readonly [name: string, value: string])[]): Html {
  return html`<dl class="figures">
    ${pairs.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Bars over time; those with a failure are marked below the line as well as by colour. */
export function chart(
  title: string,
  history: readonly Minute[],
  value: (minute: Minute) => number,
  words: (value: number) => string,
): Html {
  const most = Math.max(...history.map(value), 0);
  const step = 600 / history.length;
  const width = (step - 2).toFixed(1);
  const bars = history.map((minute, at) => {
    const x = (at * step + 1).toFixed(1);
    const height = most === 0 ? 0 : (value(minute) / most) * 92;
    return [
      height === 0
        ? undefined
        : html`<rect
            class="bar"
            x="${x}"
            y="${(96 - height).toFixed(1)}"
            width="${width}"
            height="${height.toFixed(1)}"
          />`,
      minute.failures === 0 ? undefined : html`<rect class="failed" x="${x}" y="97" width="${width}" height="3" />`,
    ];
  });
  const last = history.at(-1);
  const says = `${title}: now ${last === undefined ? '–' : words(value(last))}, at most ${words(most)}.`;
  return html`<figure>
    <figcaption>${says}</figcaption>
    <svg viewBox="0 0 600 100" preserveAspectRatio="none" role="img" aria-label="${says}">${bars}</svg>
  </figure>`;
}
