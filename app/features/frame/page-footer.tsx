import { TextLink } from '../../ui/text-link.tsx';
import { supportEmail } from '../../words/promises.ts';
import styles from './page-footer.module.css';

/** The foot of every page: the terms, and the contact address. */
export function PageFooter() {
  return (
    <>
      <span>Dwang, 100% Kiwi owned</span>
      <span className={styles.links}>
        <TextLink href="/legal">Terms of use and Privacy policy</TextLink>
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
      </span>
    </>
  );
}
