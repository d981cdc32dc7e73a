/** `http://`, `www.`, an email address. */
const plainAddress = /:\/\/|\bwww\.|@/i;
/**
 * `fixit.co.nz`, `evil.example`: which ends a mail program takes for those of an address changes every year, so any two
 * words with nothing but a dot between them count. Initials do not: `J.R.Builders`.
 */
const bareDomain = /[\p{L}\p{N}-][\p{L}\p{N}]\.\p{L}{2}/u;
/** `x.com`, `t.co/pay`: an initial, and what is an address all the same. */
const shortDomain = /[\p{L}\p{N}]\.(?:(?:com|net|org|nz|io)(?![\p{L}\p{N}])|\p{L}{2,20}\/\S)/iu;

/**
 * Why a business cannot be called so; undefined where it can. Its name stands in the mails of others, where it must
 * neither be a link nor look like one. `standing`: its name as it is: only a changed one is judged.
 */
export function businessNameProblem(name: string, standing: string | undefined): string | undefined {
  if (name.trim() === standing?.trim()) return undefined;
  if (/[<>]/.test(name)) return 'A business name can’t contain < or >.';
  const seen = name.replace(/\p{Cf}/gu, '').replace(/[．。｡․]/g, '.');
  return [plainAddress, bareDomain, shortDomain].some((address) => address.test(seen))
    ? 'A business name can’t contain a web or email address. Leave it out, or put a space after the dot.'
    : undefined;
}
