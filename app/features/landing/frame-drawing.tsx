import styles from './frame-drawing.module.css';

/** Left edges. Full studs reach from the bottom plate to the top plates; understuds carry the lintels. */
const studs = [70, 132, 179, 336, 382, 490, 559];
const understuds = [190, 325, 393, 479];
/** Staggered, so that each is nailed through the stud. */
const dwangs = [
  { x: 81, y: 300, width: 51 },
  { x: 143, y: 312, width: 36 },
  { x: 347, y: 300, width: 35 },
  { x: 501, y: 312, width: 58 },
  { x: 81, y: 386, width: 51 },
  { x: 143, y: 398, width: 36 },
  { x: 347, y: 386, width: 35 },
  { x: 501, y: 398, width: 58 },
  { x: 201, y: 414, width: 56 },
  { x: 268, y: 426, width: 57 },
];

/**
 * The front of a house before the cladding goes on, as it is built: top chords that meet at the ridge over a king post,
 * struts from its foot, nail plates, two top plates, a full stud and an understud beside each opening, lintels on the
 * understuds, jack studs at the same centres, and a bottom plate that is cut out in the doorway.
 */
export function FrameDrawing() {
  return (
    <svg className={styles.drawing} viewBox="20 40 600 472" aria-hidden focusable="false">
      <g className={styles.wood}>
        <path
          className={styles.web}
          d="m318 186 144-62 4 10-144 62zM322 186 178 124l-4 10 144 62zM313.5 50h13v146h-13z"
        />
        <path
          className={styles.timber}
          d="M70 195h500v12H70zM70 207h500v11H70zM70 218h500v11H70zM70 470h334v12H70zM479 470h91v12h-91zM201 360h124v11H201zM257 371h11v99h-11zM257 229h11v19h-11zM436 229h11v19h-11z"
        />
        {studs.map((x) => (
          <rect key={x} className={styles.timber} x={x} y="229" width="11" height="241" />
        ))}
        {understuds.map((x) => (
          <rect key={x} className={styles.timber} x={x} y="270" width="11" height="200" />
        ))}
        <path className={styles.lintel} d="M190 248h146v22H190zM393 248h97v22h-97z" />
        <path className={styles.lintel} d="m320 45 295 162v15L320 60 25 222v-15z" />
      </g>
      <path
        className={styles.plates}
        d="m320 47.5 17 9.5v9l-10.5-3v11h-13V63L303 66v-9zM299 186h42v20h-42zM70 187l26-15 4 7v27H70zM570 187l-26-15-4 7v27h30zM455 117l25 13-7 12-25-13zM185 117l-25 13 7 12 25-13z"
      />
      <path
        className={styles.nails}
        d="M307 191h26M307 199h26M316 60h8M317 69h6M76 198h20M80 188h16M544 198h20M544 188h16M456 126l15 8M184 126l-15 8"
      />
      <g className={styles.dwangs}>
        {dwangs.map(({ x, y, width }) => (
          <rect key={`${x} ${y}`} x={x} y={y} width={width} height="12" />
        ))}
      </g>
      <path className={styles.slab} d="M46 482h548v30H46z" />
      <path className={styles.setOut} d="M75.5 497h62.5M75.5 492v10M138 492v10" />
      <text className={styles.words} x="148" y="502">
        600 crs
      </text>
    </svg>
  );
}
