import { Icon, type IconName } from '../ui/icon.tsx';
import styles from './contact-way.module.css';

type ContactWayProps = {
  readonly icon: IconName;
  /** `tel:`, `sms:` or `mailto:`. */
  readonly href: string;
  /** What it does and with whom, as it is spoken: it holds the text that is seen. */
  readonly label: string;
  readonly text: string;
  /** The way to take: there is one of them. */
  readonly isFirst?: boolean;
};

/** One way to reach a tradie, in a list of them. */
export function ContactWay({ icon, href, label, text, isFirst = false }: ContactWayProps) {
  return (
    <li data-first={isFirst || undefined}>
      <a href={href} className={styles.way} aria-label={label}>
        <Icon name={icon} />
        <span>{text}</span>
      </a>
    </li>
  );
}
