export interface Shot {
  readonly screen: string;
  /** Of the window, in CSS pixels. */
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly file: string;
}

/** One page with the pictures of all screen states, side by side. */
export function contactSheet(shots: readonly Shot[]): string {
  const screens = [...new Set(shots.map(({ screen }) => screen))];
  const section = (screen: string) =>
    `<section id="${screen}"><h2>${screen}</h2><div>${shots
      .filter((shot) => shot.screen === screen)
      .map(figure)
      .join('')}</div></section>`;
  return `<!doctype html>
<html lang="en-NZ"><meta charset="utf-8"><title>Dwang: every screen</title>
<style>
  body { margin: 2rem; background: #777; color: #fff; font: 16px/1.4 system-ui, sans-serif }
  nav { columns: 5 12rem } a { color: inherit }
  section > div { display: flex; gap: 1.5rem; align-items: start; overflow-x: auto; padding-bottom: 1rem }
  figure { margin: 0; flex: none } img { display: block; box-shadow: 0 2px 12px #0006 } figcaption { font-size: .8rem }
</style>
<h1>${screens.length} screens, ${shots.length} pictures</h1>
<nav>${screens.map((screen) => `<a href="#${screen}">${screen}</a><br>`).join('')}</nav>
${screens.map(section).join('\n')}
</html>
`;
}

function figure({ file, width, colorScheme }: Shot): string {
  return `<figure><a href="${file}"><img src="${file}" width="${Math.round(width * (width > 600 ? 0.5 : 0.8))}" loading="lazy" alt=""></a><figcaption>${width} px, ${colorScheme}</figcaption></figure>`;
}
