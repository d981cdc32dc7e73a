import { useState } from 'react';
import { fileSrc } from '../lib/file-src.ts';
import styles from './avatar.module.css';

type AvatarProps = {
  readonly name: string;
  /** A logo, as a row keeps it; '' or absent shows initials. */
  readonly src?: string | undefined;
  readonly size?: 'md' | 'lg';
};

/** Up to two letters: the first of the first two words, or the first two of a single word. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? '')].slice(0, 2);
  return letters.join('').toLocaleUpperCase('en-NZ');
}

/**
 * A business's logo or its initials, also where the logo cannot come just now. The name is beside it in words, so this
 * is decoration.
 */
export function Avatar({ name, src, size = 'md' }: AvatarProps) {
  const [missing, setMissing] = useState<string>();
  const onError = () => {
    setMissing(src);
    window.addEventListener('online', () => setMissing(undefined), { once: true });
  };
  return (
    <span className={styles.avatar} data-size={size} aria-hidden="true">
      {src === undefined || src === '' || src === missing ? (
        initialsOf(name)
      ) : (
        <img src={fileSrc(src)} alt="" loading="lazy" decoding="async" onError={onError} />
      )}
    </span>
  );
}
