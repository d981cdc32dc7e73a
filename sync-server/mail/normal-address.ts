import { domainToASCII } from 'node:url';

/** Zero-width characters, soft hyphens, variation selectors: a reader sees nothing of them. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The one form in which mail addresses are kept and compared: without what cannot be seen, in lower case, width and
 * composition unified (NFKC), the domain as name servers know it (IDNA). Addresses that look alike and reach the same
 * mailbox are then the same address, and mail goes to this form alone.
 */
export function normalAddress(text: string): string {
  const plain = text.normalize('NFKC').replaceAll(unseen, '').trim().toLowerCase().normalize('NFC');
  const at = plain.lastIndexOf('@');
  const domain = at < 0 ? '' : domainToASCII(plain.slice(at + 1));
  // What is no domain is left as it is: it will be rejected, or match nothing.
  return domain === '' ? plain : `${plain.slice(0, at)}@${domain}`;
}
