/** Text as people search it: no macrons, no case, one apostrophe. `Whangārei` and `whangarei` fold alike. */
export function fold(text: string): string {
  // Most of what people write has none of these.
  // oxlint-disable-next-line no-control-regex -- ASCII, all of it
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u2018\u2019\u02bb\u02bc]/g, "'")
    .toLowerCase();
}
