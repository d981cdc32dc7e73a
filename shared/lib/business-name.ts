/**
 * `<b>`, `http://`, an email address; `fixit.co.nz`, `evil.example`, `x.com`. Which ends a mail program takes for those
 * of an address changes every year, so any two words with nothing but a dot between them count, but not initials:
 * `J.R.Builders`.
 */
const unfit = /[<>@]|:\/\/|[\p{L}\p{N}-][\p{L}\p{N}]\.\p{L}{2}|\p{L}\.(?:com?|net|org|nz|io)\b/u;

const own = 'the|nz|team|official|support|help|admin|accounts?|billing|payments?|security';
/** Ours, alone or with words that only we would add; `Dwang & Nog Framing` is a builder's. */
const ours = new RegExp(`^(?:${own})*dwang(?:${own})*$`);

/**
 * Why a business cannot be called so; undefined where it can. Its name stands in the mails of others, where it must
 * neither be a link nor look like one, nor seem to be ours. `standing`: its name as it is: only a changed one is
 * judged.
 */
export function businessNameProblem(name: string, standing: string | undefined): string | undefined {
  if (name.trim() === standing?.trim()) return undefined;
  // A dot that is written as another character is a dot to a mail program.
  const plain = name.normalize('NFKC').replaceAll('\u3002', '.');
  if (unfit.test(plain))
    return 'A business name can’t contain < or >, or a web or email address. Put a space after a dot.';
  const letters = plain
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]+/g, '');
  return ours.test(letters) ? 'That is our name. Use the name that your customers know you by.' : undefined;
}
