import { AuthProblem, invalid } from './auth-problem.ts';

let commonOnes: Promise<ReadonlySet<string>> | undefined;

/** What people here think of first; the published leaks are of the whole world. */
const local: ReadonlySet<string> = new Set(
  `
  dwang tradie builder homeowner kiwi kiwiana allblacks allblack blackferns blackcaps silverferns silverfern aotearoa newzealand
  kiaora maori haka rugby pohutukawa kowhai pukeko tui kea waikato otago southland canterbury northland taranaki auckland tamaki
  wellington christchurch dunedin hamilton tauranga invercargill queenstown rotorua napier nelson whangarei gisborne timaru
  crusaders hurricanes highlanders chiefs blues warriors marmite pavlova jandals hokeypokey edmonds
`
    .trim()
    .split(/\s+/),
);

/**
 * The passwords that guessers try first, most common ones of published leaks: 49,000, in lower case. Read when first
 * asked for.
 */
function common(): Promise<ReadonlySet<string>> {
  commonOnes ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((one) => String(one).toLowerCase())),
  );
  return commonOnes;
}

const blank = /^[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]*$/u;
const weak = (message: string, reason: 'length' | 'characters' | 'pwned') =>
  new AuthProblem(422, 'weak_password', message, [reason]);

/** One thing over and over, or a run: `aaaaaa`, `ababab`, `123456789`, `fedcba`. */
function isPattern(password: string): boolean {
  if (/^(.{1,3})\1+$/u.test(password)) return true;
  const steps = new Set(
    [...password]
      .map((sign, at, all) => (at === 0 ? undefined : sign.codePointAt(0)! - all[at - 1]!.codePointAt(0)!))
      .slice(1),
  );
  return steps.size === 1 && [1, -1].includes([...steps][0]!);
}

/** Takes out signs, spaces and macrons, and what people add to pass the rules: numbers before and after. */
const coreOf = (password: string) =>
  password
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^\d+/, '')
    .replace(/(?<!\d)\d+$/, '');

/**
 * The rules for a new password: at least 6 characters, at most 72 bytes (what the hosted service's bcrypt can take),
 * not all blank, and not what a guesser tries first: a common one, a mere pattern, the address's own name, or a word
 * that is typical of this country, with numbers or without.
 *
 * @throws AuthProblem 422 `weak_password` with `length`, `characters` or `pwned`; 400 `validation_failed` where it is
 * too long
 */
export async function checkNewPassword(password: string, email: string): Promise<void> {
  if (Buffer.byteLength(password) > 72) throw invalid('Password cannot be longer than 72 characters');
  if ([...password].length < 6) throw weak('Password should be at least 6 characters.', 'length');
  if (blank.test(password)) throw weak('Password should contain something other than blanks.', 'characters');
  const plain = password.normalize('NFKC').toLowerCase();
  const own = [email, email.slice(0, email.lastIndexOf('@'))];
  const isGuessable =
    own.some((name) => plain.startsWith(name) && /^\d{0,4}$/.test(plain.slice(name.length))) ||
    isPattern(plain) ||
    local.has(coreOf(plain)) ||
    (await common()).has(plain);
  if (isGuessable)
    throw weak('Password is known to be weak and easy to guess, please choose a different one.', 'pwned');
}
