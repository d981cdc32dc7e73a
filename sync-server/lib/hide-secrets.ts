const hidden = '[hidden]';

/** A signed token: three parts with dots between them, of which the first begins so. */
function hideTokens(dotted: string): string {
  const at = dotted.indexOf('eyJ');
  return at !== -1 && dotted.indexOf('.', dotted.indexOf('.', at) + 1) > 0 ? dotted.slice(0, at) + hidden : dotted;
}

/**
 * What secrets and contact details look like. Order matters: a token in an address goes before the address's own parts.
 * Clients control parts of these texts, so each expression has to run in linear time: where one begins with a
 * repetition, it may begin only where that repetition could not have begun before
 * (`scripts/linear-expressions.test.ts`).
 */
const shapes: [RegExp, string | ((found: string) => string)][] = [
  [/\b(Bearer|Basic) [\w.~+/=-]+/gi, `$1 ${hidden}`],
  [/(?<![\w.-])[\w-]+(?:\.[\w-]*)+/g, hideTokens],
  [/\b(?:sk|rk|pk|cs)_(?:live|test)_\w+|\bbps_\w+|\bwhsec_\w+|\bsb_secret_[\w-]+/g, hidden],
  [/([?&](?:token|token_hash|code|access_token|refresh_token|apikey|email)=)[^&"\s\\]+/gi, `$1${hidden}`],
  [/((?<![a-z0-9+])[a-z0-9+]+:\/\/)[^\s"/@\\]+@/gi, `$1${hidden}@`],
  [/(?<![\w.+%'-])[\w.+%'-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/g, hidden],
  [/\+64[\s-]?\d(?:[\s-]?\d){6,9}\b/g, hidden],
  [/(?<![\w.:-])0(?:2\d|800|508|[34679])[\s-]?\d{3}[\s-]?\d{3,5}(?![\w-])/g, hidden],
];

/** Takes tokens, keys, passwords in addresses, e-mail addresses and New Zealand phone numbers out of a text. */
export function hideSecrets(text: string): string {
  return shapes.reduce(
    (rest, [shape, instead]) =>
      typeof instead === 'string' ? rest.replace(shape, instead) : rest.replace(shape, instead),
    text,
  );
}

/** Most characters of one text in a line of the log: a stack has fewer. */
export const maxFieldLength = 4_000;

/**
 * Shortens every text in a line of JSON to `maxFieldLength`. What is cut through goes as a whole, back to the last
 * space: half of a secret does not look like one any more.
 */
export function boundFields(line: string): string {
  if (line.length <= maxFieldLength) return line;
  const bounded = JSON.stringify(JSON.parse(line), (_, value: unknown) =>
    typeof value === 'string' && value.length > maxFieldLength ? shorten(value) : value,
  );
  return `${bounded}\n`;
}

function shorten(text: string): string {
  const start = text.slice(0, maxFieldLength);
  return `${start.slice(0, Math.max(0, start.lastIndexOf(' ')))} [${text.length} characters]`;
}
