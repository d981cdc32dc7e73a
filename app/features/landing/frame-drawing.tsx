import styles from './frame-drawing.module.css';

/** A wall frame: two plates, six studs, and the dwangs that tie them, staggered as a builder nails them. */
export function FrameDrawing() {
  const studs = [20, 96, 172, 248, 324, 400];
  return (
    <svg className={styles.drawing} viewBox="0 0 440 340" aria-hidden focusable="false">
      <path className={styles.roof} d="M0 96 220 12 440 96" />
      <rect className={styles.timber} x="8" y="96" width="424" height="20" />
      <rect className={styles.timber} x="8" y="316" width="424" height="20" />
      {studs.map((x) => (
        <rect key={x} className={styles.timber} x={x} y="116" width="20" height="200" />
      ))}
      {studs.slice(0, -1).map((x, at) => (
        <rect key={x} className={styles.dwang} data-at={at} x={x + 20} y={at % 2 === 0 ? 196 : 216} width="56" height="20" />
      ))}
    </svg>
  );
}
