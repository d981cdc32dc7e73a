import { must } from '../../../../shared/lib/must.ts';

export type Point = readonly [x: number, y: number];
/** `#rrggbb`, or `#rrggbbaa` where it is translucent. */
export type Colour = string;
/** One colour, or two that run into each other from the shape's top to its foot. */
export type Paint = Colour | readonly [top: Colour, foot: Colour];

export interface Canvas {
  readonly width: number;
  readonly height: number;
  polygon(points: readonly Point[], paint: Paint): void;
  rect(x: number, y: number, width: number, height: number, paint: Paint): void;
  ellipse(x: number, y: number, rx: number, ry: number, paint: Paint): void;
  /** A straight stroke with square ends. */
  line(from: Point, to: Point, thickness: number, paint: Paint): void;
  /** The picture as it stands: three bytes a pixel, rows from the top. */
  pixels(): Uint8Array;
}

/** Everything is drawn at twice the size and averaged down, which is what makes the edges smooth. */
const oversize = 2;

type Rgba = readonly [number, number, number, number];

function parseColour(colour: Colour): Rgba {
  const [red, green, blue, alpha = 255] = must(colour.slice(1).match(/../g), colour).map((pair) =>
    Number.parseInt(pair, 16),
  );
  return [must(red, colour), must(green, colour), must(blue, colour), alpha / 255];
}

/** Where a horizontal line at `y` goes in and out of the shape (even-odd rule), from left to right. */
function crossings(points: readonly Point[], y: number): number[] {
  const found: number[] = [];
  points.forEach(([x2, y2], at) => {
    const [x1, y1] = must(points.at(at - 1), 'a corner');
    if (y1 <= y !== y2 <= y) found.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
  });
  return found.sort((one, other) => one - other);
}

export function createCanvas(width: number, height: number): Canvas {
  const wide = width * oversize;
  const high = height * oversize;
  // Four bytes a dot, the last unused, so that a whole run of one colour is a single fill.
  const dots = new Uint32Array(wide * high);
  const field = new Uint8Array(dots.buffer);
  const ink = new Uint32Array(1);
  const inkBytes = new Uint8Array(ink.buffer);

  function span(row: number, from: number, to: number, [red, green, blue, alpha]: Rgba): void {
    const first = row * wide + Math.max(0, Math.round(from));
    const last = row * wide + Math.min(wide, Math.round(to));
    if (alpha === 1) {
      inkBytes.set([red, green, blue]);
      if (last > first) dots.fill(ink[0]!, first, last);
      return;
    }
    for (let at = first * 4, end = last * 4; at < end; at += 4) {
      field[at] = field[at]! + (red - field[at]!) * alpha;
      field[at + 1] = field[at + 1]! + (green - field[at + 1]!) * alpha;
      field[at + 2] = field[at + 2]! + (blue - field[at + 2]!) * alpha;
    }
  }

  function polygon(given: readonly Point[], paint: Paint): void {
    const points = given.map(([x, y]): Point => [x * oversize, y * oversize]);
    const heights = points.map(([, y]) => y);
    const top = Math.min(...heights);
    const foot = Math.max(...heights);
    const from = parseColour(typeof paint === 'string' ? paint : paint[0]);
    const to = parseColour(typeof paint === 'string' ? paint : paint[1]);
    for (let row = Math.max(0, Math.floor(top)); row < Math.min(high, Math.ceil(foot)); row += 1) {
      const share = foot === top ? 0 : Math.min(1, Math.max(0, (row - top) / (foot - top)));
      const mixed = from.map((channel, at) => channel + (to[at]! - channel) * share) as unknown as Rgba;
      const edges = crossings(points, row + 0.5);
      for (let at = 0; at + 1 < edges.length; at += 2) span(row, edges[at]!, edges[at + 1]!, mixed);
    }
  }

  return {
    width,
    height,
    polygon,
    rect: (x, y, w, h, paint) =>
      polygon(
        [
          [x, y],
          [x + w, y],
          [x + w, y + h],
          [x, y + h],
        ],
        paint,
      ),
    ellipse: (x, y, rx, ry, paint) => {
      const corners = 56;
      polygon(
        Array.from({ length: corners }, (_, at): Point => {
          const angle = (at / corners) * 2 * Math.PI;
          return [x + Math.cos(angle) * rx, y + Math.sin(angle) * ry];
        }),
        paint,
      );
    },
    line: ([x1, y1], [x2, y2], thickness, paint) => {
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const dx = (((y2 - y1) / length) * thickness) / 2;
      const dy = (((x2 - x1) / length) * thickness) / 2;
      polygon(
        [
          [x1 + dx, y1 - dy],
          [x2 + dx, y2 - dy],
          [x2 - dx, y2 + dy],
          [x1 - dx, y1 + dy],
        ],
        paint,
      );
    },
    pixels: () => {
      const small = new Uint8Array(width * height * 3);
      let to = 0;
      for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < width; x += 1) {
          const at = (y * wide + x) * oversize * 4;
          const below = at + wide * 4;
          for (let channel = 0; channel < 3; channel += 1) {
            small[to] =
              (field[at + channel]! +
                field[at + 4 + channel]! +
                field[below + channel]! +
                field[below + 4 + channel]! +
                2) >>
              2;
            to += 1;
          }
        }
      }
      return small;
    },
  };
}
