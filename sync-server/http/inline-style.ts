import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { trustedHtml, xml, type Html } from '../../shared/lib/html.ts';

interface InlineStyle {
  element: Html;
  /** The source by which a content policy lets this style sheet apply, and no other. */
  source: string;
}

/** A style sheet, of these files, for pages that load no other. */
export function readInlineStyle(...paths: readonly string[]): InlineStyle {
  const css = paths.map((path) => readFileSync(path, 'utf8')).join('');
  return {
    // `html` is not used: the formatter puts white space into its templates, and the policy names every byte between
    // the tags.
    element: xml`<style>${trustedHtml(css)}</style>`,
    source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  };
}
