import { createCanvas } from '../pictures/canvas.ts';
import { encodePng } from '../pictures/png.ts';

interface Logo {
  background: string;
  ink: string;
  sign: 'roof' | 'fence' | 'spark';
}

/** A square business sign (PNG, 192 pixels). */
export function drawLogo({ background, ink, sign }: Logo): Buffer {
  const canvas = createCanvas(192, 192);
  canvas.rect(0, 0, 192, 192, background);
  canvas.ellipse(96, 96, 84, 84, '#ffffff14');
  if (sign === 'roof') {
    canvas.polygon(
      [
        [30, 106],
        [96, 50],
        [162, 106],
        [150, 118],
        [96, 72],
        [42, 118],
      ],
      ink,
    );
    for (const x of [66, 96, 126])
      canvas.polygon(
        [
          [x, 112],
          [x + 9, 132],
          [x, 142],
          [x - 9, 132],
        ],
        '#ffffffe0',
      );
  }
  if (sign === 'fence') {
    for (const y of [88, 122]) canvas.rect(36, y, 120, 9, ink);
    for (const x of [48, 82, 116])
      canvas.polygon(
        [
          [x, 66],
          [x + 14, 50],
          [x + 28, 66],
          [x + 28, 146],
          [x, 146],
        ],
        ink,
      );
  }
  if (sign === 'spark') {
    canvas.polygon(
      [
        [108, 32],
        [56, 108],
        [92, 108],
        [80, 160],
        [138, 80],
        [100, 80],
      ],
      ink,
    );
  }
  return encodePng(canvas.width, canvas.height, canvas.pixels());
}
