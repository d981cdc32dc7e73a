/**
 * `<b>`, `http://`, an email address; `fixit.co.nz`, `evil.example`, `x.com`. Which ends a mail program takes for those
 * of an address changes every year, so any two words with nothing but a dot between them count, but not initials:
 * `J.R.Builders`.
 */
const unfit = /[<>@]|:\/\/|[\p{L}\p{N}-][\p{L}\p{N}]\.\p{L}{2}|\p{L}\.(?:com?|net|org|nz|io)\b/u;

/**
 * Why a business cannot be called so; undefined where it can. Its name stands in the mails of others, where it must
 * neither be a link nor look like one. `standing`: its name as it is: only a changed one is judged.
 */
export function businessNameProblem(name: string, standing: string | undefined): string | undefined {
  return name.trim() === standing?.trim() || !unfit.test(name)
    ? undefined
    : 'A business name can’t contain < or >, or a web or email address. Put a space after a dot.';
}
