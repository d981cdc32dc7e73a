import { toE164 } from '../../shared/lib/phone.ts';

export type ContactKind = 'phone' | 'email' | 'address';

/** A way to reach a person, as it stands in a text. */
export interface ContactDetail {
  readonly kind: ContactKind;
  readonly text: string;
  readonly at: number;
}

/** Also `ana (at) example.nz`; `ana at gmail.com` of those alone who do little but mail: a page may be looked at. */
const email = new RegExp(
  String.raw`[\p{L}\d._%+-]{1,64}(?:` +
    String.raw`(?:@|\s?[([]at[)\]]\s?)[\p{L}\d-]{1,63}` +
    String.raw`| at (?:gmail|hotmail|outlook|yahoo|xtra|icloud|proton|protonmail)` +
    String.raw`)(?:\.[\p{L}\d-]{2,63}){1,4}`,
  'giu',
);
/** Looks like a telephone number; whether it is one decides the library. */
const phone = /(?<![\d$.,])(?:\+|\()?(?:0|64)(?:[\s().-]{0,2}\d){6,11}(?![\d.,]?\d)/g;
/** `PO Box 12`, `12 Main Street`, `3/45 Te Awe Awe St`; in small letters only what hardly is anything else. */
const address = new RegExp(
  String.raw`\bP\.? ?O\.? [Bb]ox \d{1,6}|` +
    String.raw`(?<![\d$.,])(?:\d{1,4}[A-Za-z]?/)?\d{1,5}[A-Za-z]? (?:` +
    String.raw`(?:\p{Lu}[\p{L}'’-]{1,30} ){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Drive|Dr|Lane|Ln|Place|Pl|Crescent|Cres|Terrace|Tce|Way|Close|Grove|Parade|Pde|Highway|Hwy|Court|Ct|Quay|Esplanade|Rise)` +
    String.raw`|(?!(?:met|m|km|new|old|the|of|on) )[\p{L}'’-]{3,30} (?:street|avenue|crescent)` +
    String.raw`)(?!\p{L})`,
  'gu',
);

const expressions: Readonly<Record<ContactKind, RegExp>> = { email, phone, address };

/**
 * Telephone numbers, e-mail addresses and street addresses in a text, in their order. Nothing leaves the device for it.
 */
export function contactDetailsIn(text: string): ContactDetail[] {
  const found = (Object.keys(expressions) as ContactKind[]).flatMap((kind) =>
    [...text.matchAll(expressions[kind])].map((match): ContactDetail => ({ kind, text: match[0], at: match.index })),
  );
  const real = found.filter((detail) => detail.kind !== 'phone' || toE164(detail.text) !== undefined);
  return real
    .filter((one) => !real.some((other) => other !== one && other.at <= one.at && endOf(other) >= endOf(one)))
    .toSorted((one, other) => one.at - other.at);
}

const endOf = ({ at, text }: ContactDetail) => at + text.length;

/** What only introduces a detail: "or", "call me on", "I live at"; not the noun of "my phone". */
const introduction = new RegExp(
  String.raw`(?<=^|[\s,;:])(?<!\b(?:my|our|your|the|a|no)\s)(?:(?:or|and|please)[^\S\n]){0,2}(?:` +
    String.raw`(?:call|phone|ring|text|txt|mail|e-?mail|contact)(?: me| us)?(?: on| at)?` +
    String.raw`|(?:(?:I|we) (?:live|am|are)|I[’']m|we[’']re) at` +
    String.raw`|or|and|at|on|by|via|to|from|near):?[^\S\n]?$`,
  'iu',
);
/** Says nothing without what came after it. */
const preposition = /(?<=^|\s)(at|on|by|via|to|from|near)[^\S\n]$/i;
/** `, Feilding`, `, Palmerston North 4410`, to the end of the clause. */
const town = new RegExp(
  String.raw`^,[^\S\n]*(?!(?:Thanks|Thank|Cheers|Ta|Please|Call|Ring|Text|Txt|Phone|Mail|Email|Contact)(?!\p{L}))` +
    String.raw`(?=\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}(?: \d{4})?[^\S\n]*(?:[.,;:!?\n]|$))`,
  'u',
);
/** No more than an introduction between two details. */
const between = /^[^\S\n,;]?[,;]?[^\S\n]?$/;

/** The text without these, and without the gaps and the introducing words that they would leave. */
export function withoutContactDetails(text: string, details: readonly ContactDetail[]): string {
  return cutsOf(text, details)
    .toReversed()
    .reduce((rest, { from, to, kind }) => joined(rest.slice(0, from), rest.slice(to), kind), text)
    .trim();
}

interface Cut {
  readonly from: number;
  readonly to: number;
  /** Of the detail it ends with. */
  readonly kind: ContactKind;
}

/** "021 555 1234 or 03 218 1234" is one. */
function cutsOf(text: string, details: readonly ContactDetail[]): Cut[] {
  const cuts: Cut[] = [];
  for (const detail of details) {
    const last = cuts.at(-1);
    const isNext = last !== undefined && between.test(text.slice(last.to, detail.at).replace(introduction, ''));
    if (isNext) cuts.pop();
    cuts.push({ from: isNext ? last.from : detail.at, to: endOf(detail), kind: detail.kind });
  }
  return cuts;
}

/**
 * What was before and after a cut: one space between words, none before a full stop. Where a clause ends with the cut,
 * what introduced it goes too: "Ring … after five" still says something without. The town after a street address stays,
 * with its preposition.
 */
function joined(before: string, after: string, kind: ContactKind): string {
  if (kind === 'address' && town.test(after) && preposition.test(before))
    return (
      before.replace(/(?<=^|\s)(?:at|on)(?=\s$)/, 'in').replace(/(?<=^|\s)At(?=\s$)/, 'In') + after.replace(town, '')
    );
  const isClauseOver = /^[^\S\n]?(?:[.,;:!?\n]|$)/.test(after);
  if (!isClauseOver) {
    const kept = before.replace(preposition, '');
    return /(?:^|\s)$/.test(kept) ? kept + after.replace(/^[^\S\n]/, '') : kept + after;
  }
  const head = before.replace(introduction, '').replace(/(?:[^\S\n]?[,;:]|[^\S\n][–-])?[^\S\n]?$/, '');
  const rest = after.replace(/^[^\S\n]/, '');
  if (head !== '' && !/[.!?\n]$/.test(head)) return head + rest;
  const next = rest.replace(/^[.,;:!?][^\S\n]?/, '');
  return /[.!?]$/.test(head) && /^[^\n]/.test(next) ? `${head} ${next}` : head + next;
}
