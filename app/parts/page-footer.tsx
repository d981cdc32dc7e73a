import { TextLink } from '../ui/text-link.tsx';
import { supportEmail } from '../words/common-words.ts';
import styles from './page-footer.module.css';

/** Where it does not fit in a line, as with large text on a narrow phone, it goes on after the @. */
const [name, host] = supportEmail.split('@');

/** The foot of every page: the terms, and the contact address. */
export function PageFooter() {
  return (
    <>
      <span>Dwang, 100% Kiwi owned</span>
      <span className={styles.links}>
        <TextLink href="/legal">Terms of use and Privacy policy</TextLink>
        <a href={`mailto:${supportEmail}`}>
          {name}@<wbr />
          {host}
        </a>
      </span>
    </>
  );
}
