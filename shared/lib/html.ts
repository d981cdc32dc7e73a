const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text escaped for HTML, in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Markup that is sent as it is. Only `html` and `trustedHtml` make it, so text cannot be taken for it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** What may stand in a template: text and numbers are escaped, lists are joined, undefined is nothing. */
type HtmlValue = string | number | Html | undefined | readonly HtmlValue[];

/** A template of HTML, every value in it escaped. Attributes need their quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.reduce((before, part, at) => before + markupOf(values[at - 1]) + part));
}

/** The same for XML, which escapes alike and whose white space the formatter leaves alone. */
export function xml(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return html(parts, ...values);
}

/** Text that is markup already: of a file of ours, never of a person. */
export function trustedHtml(markup: string): Html {
  return new Html(markup);
}

function markupOf(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.toString();
  return typeof value === 'object' ? value.map(markupOf).join('') : escapeHtml(String(value));
}
