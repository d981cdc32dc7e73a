import styles from './frame-drawing.module.css';

/** Top left corners of the full studs; between two of them lies a bay. */
const studs = [40, 112, 184, 322, 394, 486];
/** x and y of every dwang, staggered as a builder nails them. */
const dwangs = [
  { x: 54, y: 300 },
  { x: 126, y: 318 },
  { x: 198, y: 378, width: 55 },
  { x: 267, y: 396, width: 55 },
  { x: 336, y: 318 },
  { x: 336, y: 236 },
  { x: 54, y: 218 },
  { x: 126, y: 236 },
];

/** The front of a house before the cladding goes on: a truss, a window, a door, and the dwangs that tie the studs. */
export function FrameDrawing() {
  return (
    <svg className={styles.drawing} viewBox="0 0 540 456" aria-hidden focusable="false">
      <path className={styles.web} d="M263 66h14v104h-14zM270 158 168 104l6-12 96 50zM270 158l102-54-6-12-96 50z" />
      <path className={styles.rafter} d="M0 178 270 22l270 156-8 14L270 40 8 192z" />
      <path className={styles.timber} d="M22 170h496v14H22zM40 184h460v12H40zM40 442h354v14H40zM486 442h14v14h-14z" />
      {studs.map((x) => (
        <rect key={x} className={styles.timber} x={x} y="196" width="14" height="246" />
      ))}
      {/* The window: lintel, sill, and short studs above and below. */}
      <path
        className={styles.timber}
        d="M198 236h124v20H198zM198 344h124v12H198zM253 196h14v40h-14zM253 356h14v86h-14z"
      />
      {/* The door. */}
      <path className={styles.timber} d="M408 236h78v20h-78zM440 196h14v40h-14z" />
      <g className={styles.dwangs}>
        {dwangs.map(({ x, y, width = 58 }) => (
          <rect key={`${x} ${y}`} x={x} y={y} width={width} height="14" />
        ))}
      </g>
    </svg>
  );
}
