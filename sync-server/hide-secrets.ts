const hidden = '[hidden]';

/** What secrets and contact details look like. Order matters: a token in an address goes before the address's own parts. */
const shapes: [RegExp, string][] = [
  [/\b(Bearer|Basic) [\w.~+/=-]+/gi, `$1 ${hidden}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, hidden],
  [/\b(?:sk|rk|pk)_(?:live|test)_\w+|\bwhsec_\w+|\bsb_secret_[\w-]+/g, hidden],
  [/([?&](?:token|token_hash|code|access_token|refresh_token|apikey|email)=)[^&"\s\\]+/gi, `$1${hidden}`],
  [/(\b[a-z][a-z0-9+]*:\/\/)[^\s"/@\\]+@/gi, `$1${hidden}@`],
  [/[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+/g, hidden],
  [/\+64[\s-]?\d(?:[\s-]?\d){6,9}\b/g, hidden],
  [/(?<![\w.:-])0(?:2\d|800|508|[34679])[\s-]?\d{3}[\s-]?\d{3,5}(?![\w-])/g, hidden],
];

/** Takes tokens, keys, passwords in addresses, e-mail addresses and New Zealand phone numbers out of a text. */
export function hideSecrets(text: string): string {
  return shapes.reduce((rest, [shape, instead]) => rest.replace(shape, instead), text);
}
