import { Icon, type IconName } from '../ui/icon.tsx';
import styles from './contact-way.module.css';

type ContactWayProps = {
  readonly icon: IconName;
  /** `tel:`, `sms:` or `mailto:`. */
  readonly href: string;
  /** What it does and with whom, as it is spoken before the text. */
  readonly label: string;
  readonly text: string;
};

/** One way to reach a tradie, in a list of them. */
export function ContactWay({ icon, href, label, text }: ContactWayProps) {
  return (
    <li>
      <a href={href} className={styles.way} aria-label={`${label}: ${text}`}>
        <Icon name={icon} />
        <span>{text}</span>
      </a>
    </li>
  );
}
