import type { Canvas } from './canvas.ts';
import { drawFlax, drawWindow } from './landscape.ts';
import type { Scene } from './outdoor-scenes.ts';

/** A room: wall, skirting and floor. */
function drawRoom(canvas: Canvas, wall: string, floor: readonly [string, string], line = 262): void {
  canvas.rect(0, 0, canvas.width, line, [wall, '#e8e2d6']);
  canvas.rect(0, line, canvas.width, canvas.height - line, floor);
  canvas.rect(0, line - 12, canvas.width, 12, '#fbfaf6');
}

/** What a job inside looks like, drawn on a canvas of 480 by 360. */
export const indoorScenes = {
  bathroom: (canvas, random) => {
    const tile = random.pick(['#b9d3d3', '#d9cdb8', '#c3cbd8', '#cbd8c0'] as const);
    drawRoom(canvas, '#f1efe8', ['#b9b3a6', '#9c968a'], 280);
    canvas.rect(0, 90, 480, 180, tile);
    for (let x = 0; x < 480; x += 40) canvas.rect(x, 90, 2, 180, '#ffffff90');
    for (let y = 90; y < 270; y += 36) canvas.rect(0, y, 480, 2, '#ffffff90');
    canvas.ellipse(90, 300, 4, 4, '#6b665c');
    canvas.polygon(
      [
        [60, 214],
        [360, 214],
        [344, 302],
        [80, 302],
      ],
      ['#ffffff', '#d9dcdc'],
    );
    canvas.rect(48, 204, 326, 16, '#fbfbfa');
    canvas.line([330, 204], [330, 168], 8, '#aab2b5');
    canvas.line([334, 170], [298, 170], 8, '#aab2b5');
    canvas.line([420, 60], [420, 250], 6, '#aab2b5');
    canvas.ellipse(412, 60, 26, 8, '#98a1a4');
    drawWindow(canvas, 140, 16, 110, 60);
  },
  kitchen: (canvas, random) => {
    const door = random.pick(['#7d977f', '#e9e4d8', '#4f6673', '#c9a77a'] as const);
    drawRoom(canvas, '#f4efe4', ['#c49b6a', '#a27c50'], 300);
    for (let x = 20; x < 460; x += 88) {
      if (x < 130 || x > 280) canvas.rect(x, 30, 82, 92, door);
      canvas.rect(x, 206, 82, 92, door);
      canvas.rect(x + 60, 216, 12, 4, '#8d8576');
    }
    canvas.rect(10, 190, 460, 17, ['#d9d4ca', '#b7b1a4']);
    drawWindow(canvas, 176, 40, 110, 92);
    canvas.line([232, 190], [232, 150], 6, '#a2aaad');
    canvas.line([230, 152], [254, 152], 6, '#a2aaad');
    canvas.rect(384, 168, 46, 22, '#c65f4a');
    drawFlax(canvas, 60, 190, 34, '#5f8a52');
  },
  sink: (canvas, random) => {
    canvas.rect(0, 0, 480, 360, ['#d9cdb9', '#b9ab92']);
    canvas.rect(30, 0, 420, 340, ['#7e6a52', '#5c4c3a']);
    canvas.rect(30, 0, 420, 26, '#cfd3d4');
    canvas.polygon(
      [
        [150, 26],
        [330, 26],
        [306, 92],
        [174, 92],
      ],
      ['#d6dadb', '#a6adaf'],
    );
    canvas.rect(226, 92, 28, 66, '#eceeee');
    canvas.rect(216, 112, 48, 12, '#c9cdce');
    canvas.rect(226, 152, 110, 26, '#eceeee');
    canvas.rect(312, 96, 26, 82, '#eceeee');
    canvas.rect(330, 96, 120, 24, '#eceeee');
    const drip = 240 + random.below(70);
    for (const at of [0, 1, 2]) canvas.ellipse(drip, 196 + at * 34, 5, 8, '#8cc3dd');
    canvas.ellipse(drip, 306, 70, 14, '#7fb3cc90');
    canvas.rect(90, 226, 66, 84, ['#d9b23e', '#b98f24']);
    canvas.rect(86, 218, 74, 12, '#8f6f1c');
  },
  switchboard: (canvas, random) => {
    canvas.rect(0, 0, 480, 360, [random.pick(['#e9e1cf', '#dfe3dc', '#d9d0c4'] as const), '#cbbfa8']);
    for (let x = 0; x < 480; x += 60) canvas.rect(x, 0, 2, 360, '#00000014');
    canvas.rect(128, 50, 224, 262, '#00000024');
    canvas.rect(120, 42, 224, 262, ['#4c4742', '#37332f']);
    for (let row = 0; row < 2; row += 1) {
      for (let at = 0; at < 5; at += 1) {
        const x = 140 + at * 39;
        canvas.rect(x, 76 + row * 84, 28, 58, ['#f4f1e8', '#d6d1c3']);
        canvas.rect(x + 8, 90 + row * 84, 12, 24, at === 2 && row === 1 ? '#b5472f' : '#3f4a52');
      }
    }
    canvas.rect(140, 246, 184, 36, '#e4dfd1');
    for (let at = 0; at < 4; at += 1) canvas.rect(152 + at * 44, 258, 30, 4, '#8d8778');
    canvas.line([232, 0], [232, 42], 10, '#8b8a86');
  },
  tiles: (canvas, random) => {
    const laid = random.pick(['#a9bfc0', '#c8b797', '#b4b7c4'] as const);
    canvas.rect(0, 0, 480, 360, ['#b7ad9c', '#9f9584']);
    for (let row = 0; row < 6; row += 1) {
      for (let at = 0; at < 7 - row; at += 1) {
        canvas.polygon(
          [
            [at * 70 + 3 + row * 6, row * 60 + 3],
            [at * 70 + 67 + row * 6, row * 60 + 3],
            [at * 70 + 67 + row * 6, row * 60 + 57],
            [at * 70 + 3 + row * 6, row * 60 + 57],
          ],
          random.next() < 0.2 ? '#ffffff' : laid,
        );
      }
    }
    for (let at = 0; at < 5; at += 1)
      canvas.line([300 + at * 30, 330 - at * 6], [420 + at * 8, 250 - at * 10], 3, '#e8e2d4');
    canvas.polygon(
      [
        [330, 250],
        [420, 230],
        [436, 290],
        [346, 312],
      ],
      ['#c9cfd2', '#9aa3a8'],
    );
    canvas.line([410, 262], [470, 206], 13, '#c98d3e');
    canvas.ellipse(410, 264, 9, 9, '#7f8689');
  },
  fireplace: (canvas, random) => {
    drawRoom(canvas, random.pick(['#dfe0d2', '#e6d7c6', '#d3dbe0'] as const), ['#a87c4e', '#86643f'], 280);
    canvas.rect(120, 70, 240, 216, ['#b98873', '#95604c']);
    for (let y = 84; y < 286; y += 20)
      for (let x = 120 + ((y / 20) % 2) * 20; x < 350; x += 40) canvas.rect(x, y, 2, 20, '#e9d6c838');
    for (let y = 90; y < 286; y += 20) canvas.rect(120, y, 240, 2, '#e9d6c838');
    canvas.rect(104, 58, 272, 18, ['#8a633b', '#6f4e2d']);
    canvas.rect(170, 140, 140, 138, '#2d2b2a');
    canvas.ellipse(240, 252, 50, 20, '#b5472f');
    canvas.polygon(
      [
        [206, 262],
        [220, 200],
        [238, 232],
        [248, 178],
        [264, 228],
        [276, 206],
        [280, 262],
      ],
      ['#f7c64a', '#e0632a'],
    );
    canvas.polygon(
      [
        [224, 262],
        [240, 216],
        [258, 262],
      ],
      '#fbe9a8',
    );
    canvas.rect(136, 30, 34, 28, '#5d8aa0');
    canvas.rect(310, 36, 22, 22, '#c65f4a');
  },
  window: (canvas, random) => {
    drawRoom(canvas, random.pick(['#e4dfd2', '#d5dde0', '#e7dac5'] as const), ['#c3b299', '#a5947a'], 310);
    drawWindow(canvas, 110, 50, 260, 190, '#8a633b');
    canvas.polygon(
      [
        [110, 190],
        [180, 160],
        [260, 186],
        [370, 150],
        [370, 240],
        [110, 240],
      ],
      '#6d9a7c',
    );
    canvas.rect(98, 244, 284, 14, '#a87c4e');
    const [x, y] = [290 + random.below(40), 90 + random.below(40)];
    for (const [dx, dy] of [
      [50, -30],
      [-46, 22],
      [30, 56],
      [-30, -36],
      [60, 30],
    ] as const)
      canvas.line([x, y], [x + dx * 0.9, y + dy * 0.9], 1.8, '#ffffffd0');
    canvas.ellipse(x, y, 5, 5, '#ffffff');
    canvas.polygon(
      [
        [60, 20],
        [124, 20],
        [112, 200],
        [80, 280],
        [56, 280],
      ],
      ['#b8795c', '#96583f'],
    );
    canvas.polygon(
      [
        [356, 20],
        [420, 20],
        [424, 280],
        [400, 280],
        [368, 200],
      ],
      ['#b8795c', '#96583f'],
    );
  },
  floor: (canvas, random) => {
    drawRoom(canvas, random.pick(['#e9e4d8', '#d9dfd4', '#dcd6e0'] as const), ['#b98d5c', '#8a633b'], 150);
    for (let at = -8; at < 18; at += 1)
      canvas.line([240 + (at - 5) * 30, 150], [240 + (at - 5) * 78, 360], 2, '#5d412688');
    for (const [x, y] of [
      [110, 220],
      [300, 190],
      [380, 300],
      [190, 310],
    ] as const)
      canvas.rect(x + random.below(20), y, 44, 2, '#5d412688');
    canvas.polygon(
      [
        [292, 250],
        [420, 240],
        [480, 300],
        [480, 350],
        [330, 340],
      ],
      ['#8fa08f', '#74866f'],
    );
    canvas.polygon(
      [
        [292, 250],
        [330, 340],
        [316, 344],
        [280, 258],
      ],
      '#c5cfc2',
    );
    drawWindow(canvas, 60, 26, 120, 84);
    canvas.rect(330, 30, 70, 108, '#fbfaf6');
    canvas.ellipse(390, 90, 4, 4, '#a08a50');
  },
  plaster: (canvas, random) => {
    drawRoom(canvas, '#cfc9bd', ['#b3a58c', '#94876f'], 300);
    for (const x of [118, 242, 366]) canvas.rect(x, 0, 16, 288, '#eeeae0');
    for (let x = 60; x < 480; x += 124) for (let y = 30; y < 280; y += 50) canvas.ellipse(x, y, 7, 7, '#eeeae0');
    canvas.polygon(
      [
        [150, 90],
        [220, 70],
        [234, 140],
        [170, 166],
      ],
      '#8d7a63',
    );
    canvas.line([156, 96], [228, 136], 3, '#6b5a46');
    canvas.rect(300 + random.below(30), 176, 110, 12, '#9aa3a8');
    canvas.rect(346, 186, 14, 42, '#9c7448');
    canvas.rect(70, 268, 74, 66, ['#f6f6f3', '#cfd0cb']);
    canvas.ellipse(107, 268, 37, 9, '#e9e6dc');
  },
  insulation: (canvas, random) => {
    canvas.rect(0, 0, 480, 360, ['#6f5a44', '#4d3d2e']);
    for (let at = 0; at < 5; at += 1) {
      const x = at * 110 - 30;
      if (at < 3)
        canvas.polygon(
          [
            [x + 26, 60],
            [x + 100, 60],
            [x + 92, 330],
            [x + 14, 330],
          ],
          [random.pick(['#f0c6c9', '#e9d89a', '#d8e3c0'] as const), '#d3b98e'],
        );
      canvas.polygon(
        [
          [x, 40],
          [x + 24, 40],
          [x + 10, 360],
          [x - 20, 360],
        ],
        ['#c49b6a', '#9c7448'],
      );
    }
    canvas.polygon(
      [
        [0, 0],
        [480, 0],
        [480, 44],
        [0, 64],
      ],
      ['#8f98a0', '#6d757c'],
    );
    for (let x = 0; x < 480; x += 24) canvas.rect(x, 0, 5, 56, '#ffffff1c');
    canvas.ellipse(404, 196, 46, 46, '#f7e6a050');
    canvas.ellipse(404, 196, 18, 18, '#fdf4cf');
  },
} satisfies Record<string, Scene>;
