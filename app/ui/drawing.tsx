import { drawingBox, drawings, type Picture } from '../../shared/lib/drawings.ts';
import styles from './drawing.module.css';

export type { Picture };

/** One bay of framing in five states. Decoration: the words beside it say the same. */
export function Drawing({ picture }: { readonly picture: Picture }) {
  return (
    <svg className={styles.drawing} viewBox={drawingBox} aria-hidden="true" focusable="false" data-picture={picture}>
      {drawings[picture].map(([part, d]) => (
        <path key={d} className={styles[part]} d={d} />
      ))}
    </svg>
  );
}
