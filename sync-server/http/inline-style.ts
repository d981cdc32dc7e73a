import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { trustedHtml, xml, type Html } from '../../shared/lib/html.ts';

interface InlineStyle {
  element: Html;
  /** By which a content policy lets this style sheet apply, and no other. */
  source: string;
}

/** A style sheet for pages that load nothing. */
export function readInlineStyle(path: string): InlineStyle {
  const css = readFileSync(path, 'utf8');
  return {
    // Not as `html`, into which the formatter puts white space: the policy names every byte between the tags.
    element: xml`<style>${trustedHtml(css)}</style>`,
    source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  };
}
