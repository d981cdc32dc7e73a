import { iconPaths } from './icon-paths.ts';
import styles from './icon.module.css';

export type IconName = keyof typeof iconPaths;

type IconProps = {
  readonly name: IconName;
  /** Words for a screen reader; left out when text beside the icon already says it. */
  readonly label?: string;
  readonly size?: 'sm' | 'md' | 'lg';
};

/** One small drawing in the colour of the text around it. */
export function Icon({ name, label, size = 'md' }: IconProps) {
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <svg className={styles.icon} data-size={size} viewBox="0 0 24 24" focusable="false" {...named}>
      <path d={iconPaths[name]} />
    </svg>
  );
}
