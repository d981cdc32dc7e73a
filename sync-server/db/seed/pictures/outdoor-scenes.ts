import type { SeededRandom } from '../../../../shared/testing/random-source.ts';
import type { Canvas } from './canvas.ts';
import { drawFlax, drawHouse, drawLandscape, drawTree, drawWindow } from './landscape.ts';

export type Scene = (canvas: Canvas, random: SeededRandom) => void;

const timber = ['#b98d5c', '#a87c4e', '#c49b6a', '#9c7448'] as const;

/** What a job outside looks like, drawn on a canvas of 480 by 360. */
export const outdoorScenes = {
  fence: (canvas, random) => {
    drawLandscape(canvas, random, 190);
    drawTree(canvas, 400, 226, 120, random.pick(['#4f7d45', '#7a8f3e', '#c0a23a']));
    const gone = 3 + random.below(4);
    for (const y of [236, 286]) canvas.rect(0, y, 480, 9, '#8a6a48');
    for (let at = 0; at < 16; at += 1) {
      if (at === gone) continue;
      const tilt = at === gone + 1 ? 16 : random.below(3) - 1;
      const top = 212 + random.below(5);
      canvas.polygon(
        [
          [at * 30 + 3 + tilt, top],
          [at * 30 + 27 + tilt, top],
          [at * 30 + 27, 318],
          [at * 30 + 3, 318],
        ],
        [random.pick(timber), '#86643f'],
      );
    }
    drawFlax(canvas, 60, 338, 66);
    drawFlax(canvas, 330, 342, 50);
  },
  gate: (canvas, random) => {
    drawLandscape(canvas, random, 180);
    canvas.polygon(
      [
        [180, 360],
        [212, 196],
        [268, 196],
        [310, 360],
      ],
      ['#c9bda6', '#a99c84'],
    );
    for (const x of [96, 376]) canvas.rect(x, 170, 16, 160, ['#9a7a55', '#6f5538']);
    for (const y of [196, 222, 248, 274, 298]) canvas.rect(112, y, 264, 7, '#b7bcc0');
    canvas.line([112, 302], [376, 196], 6, '#b7bcc0');
    for (let x = 0; x < 96; x += 24) canvas.line([x, 200], [x, 320], 3, '#7d6a52');
    for (const y of [214, 246, 278]) {
      canvas.line([0, y], [96, y], 1.5, '#8d9296');
      canvas.line([392, y], [480, y], 1.5, '#8d9296');
    }
    drawFlax(canvas, 430, 338, 70);
  },
  deck: (canvas, random) => {
    drawLandscape(canvas, random, 170);
    const house = drawHouse(canvas, random, -70, 262, 310, 230);
    drawWindow(canvas, 110, house.eaves + 20, 90, 100, '#56646b');
    canvas.polygon(
      [
        [0, 262],
        [400, 262],
        [480, 340],
        [480, 360],
        [0, 360],
      ],
      ['#c2935f', '#9b7044'],
    );
    for (let at = 0; at < 9; at += 1)
      canvas.line([0, 268 + at * at * 1.15], [400 + at * 12, 268 + at * at * 1.15], 1.6, '#6d4d2e88');
    for (let at = 0; at < 5; at += 1) canvas.rect(250 + at * 36, 206, 6, 58, '#8a633b');
    canvas.rect(244, 202, 162, 7, '#8a633b');
    drawTree(canvas, 442, 262, 110);
  },
  roof: (canvas, random) => {
    drawLandscape(canvas, random, 250);
    const house = drawHouse(canvas, random, 70, 318, 330, 230);
    for (let at = 0; at < 9; at += 1) {
      const share = random.next();
      const down = random.next();
      canvas.ellipse(
        110 + share * 250,
        house.ridge + 14 + down * (house.eaves - house.ridge - 26),
        7 + random.below(10),
        3 + random.below(4),
        '#b8692f90',
      );
    }
    canvas.rect(318, house.ridge - 22, 26, 46, ['#a35a44', '#8b4936']);
    drawWindow(canvas, 120, house.eaves + 28, 70, 54);
    drawWindow(canvas, 280, house.eaves + 28, 70, 54);
    canvas.line([40, 330], [92, house.eaves - 12], 4, '#c9ccce');
    canvas.line([56, 330], [108, house.eaves - 12], 4, '#c9ccce');
    for (let at = 1; at < 9; at += 1)
      canvas.line([40 + at * 5.6, 330 - at * 17], [56 + at * 5.6, 330 - at * 17], 3, '#c9ccce');
  },
  spouting: (canvas, random) => {
    canvas.rect(0, 0, 480, 120, ['#93b6cc', '#d7e6ec']);
    canvas.rect(0, 176, 480, 184, ['#efe6d3', '#d6cbb4']);
    for (let y = 190; y < 360; y += 22) canvas.rect(0, y, 480, 2, '#00000018');
    const roof = random.pick(['#8f3b32', '#4d4f57', '#5a6b4d'] as const);
    canvas.polygon(
      [
        [0, 20],
        [480, 20],
        [480, 140],
        [0, 140],
      ],
      [roof, `${roof}dd`],
    );
    for (let x = 6; x < 480; x += 16) canvas.rect(x, 20, 5, 120, '#ffffff22');
    canvas.rect(0, 136, 480, 34, ['#f7f7f4', '#c9cac6']);
    canvas.rect(0, 166, 480, 5, '#9b9c98');
    const leak = 150 + random.below(120);
    canvas.rect(leak - 5, 134, 10, 40, '#a9aaa6');
    canvas.polygon(
      [
        [leak - 3, 172],
        [leak + 5, 172],
        [leak + 9, 360],
        [leak - 10, 360],
      ],
      '#6e8a7a50',
    );
    for (const drop of [0, 1, 2]) canvas.ellipse(leak + 2, 200 + drop * 46, 4, 7, '#7fb0cccc');
    canvas.rect(392, 166, 24, 194, ['#f2f2ee', '#cfd0cb']);
    for (let at = 0; at < 5; at += 1) canvas.ellipse(40 + at * 14 + random.below(8), 134, 12, 6, '#6f7f43');
  },
  lawn: (canvas, random) => {
    drawLandscape(canvas, random, 170);
    const house = drawHouse(canvas, random, 40, 208, 170, 120);
    drawWindow(canvas, 70, house.eaves + 16, 40, 28);
    canvas.rect(150, house.eaves + 12, 28, 58, '#8b4a3a');
    for (let at = 0; at < 150; at += 1) {
      const x = random.below(480);
      const y = 226 + random.below(134);
      const long = 8 + (y - 220) * 0.14;
      canvas.polygon(
        [
          [x - 2, y],
          [x + random.below(9) - 4, y - long],
          [x + 2, y],
        ],
        random.pick(['#6f9a45', '#86ad52', '#5d8540', '#a5b455'] as const),
      );
    }
    drawTree(canvas, 390, 236, 130, '#5c8148');
  },
  hedge: (canvas, random) => {
    drawLandscape(canvas, random, 230);
    for (let at = 0; at < 46; at += 1) {
      const x = at * 11 - 10;
      canvas.ellipse(x, 130 + random.below(26), 26, 34, random.pick(['#3f6b3c', '#4b7a45', '#39623a'] as const));
    }
    canvas.rect(0, 140, 480, 130, ['#467241', '#31562f']);
    for (let at = 0; at < 160; at += 1)
      canvas.ellipse(
        random.below(480),
        122 + random.below(146),
        5,
        4,
        random.pick(['#5d8f52', '#2f5a31', '#79a45f'] as const),
      );
    canvas.rect(0, 266, 480, 10, '#2b4a2b');
    for (let x = 14; x < 480; x += 56) canvas.rect(x, 262, 9, 24, '#5b4636');
    canvas.line([372, 330], [402, 108], 5, '#d9a441');
    canvas.line([412, 330], [402, 108], 5, '#d9a441');
    for (let at = 1; at < 7; at += 1)
      canvas.line([376 + at * 4, 330 - at * 30], [410 - at * 1.4, 330 - at * 30], 4, '#d9a441');
  },
  tree: (canvas, random) => {
    drawLandscape(canvas, random, 250);
    const house = drawHouse(canvas, random, 270, 286, 190, 130);
    drawWindow(canvas, 350, house.eaves + 18, 50, 32);
    drawTree(canvas, 158, 306, 290, random.pick(['#3f6b45', '#567a3d', '#4a6f56'] as const));
    canvas.line([168, 170], [262, 128], 9, '#6b5140');
    canvas.ellipse(270, 118, 46, 34, '#4f7a48');
  },
  retainingWall: (canvas, random) => {
    const light = drawLandscape(canvas, random, 120);
    canvas.polygon(
      [
        [0, 120],
        [480, 96],
        [480, 210],
        [0, 190],
      ],
      light.grass,
    );
    canvas.polygon(
      [
        [0, 180],
        [300, 190],
        [326, 250],
        [300, 300],
        [0, 306],
      ],
      ['#8a6a4a', '#6f5238'],
    );
    for (let y = 0; y < 5; y += 1) canvas.rect(250, 190 + y * 24, 230, 22, ['#b08a5c', '#8d6b44']);
    for (const x of [262, 330, 398, 466]) canvas.rect(x - 8, 176, 16, 148, ['#a37d50', '#77593a']);
    canvas.rect(0, 306, 480, 54, ['#b5a78e', '#9d9078']);
    for (let at = 0; at < 24; at += 1)
      canvas.ellipse(
        random.below(250),
        300 + random.below(20),
        6 + random.below(9),
        4 + random.below(4),
        random.pick(['#7a5c3f', '#937355', '#69503a'] as const),
      );
    drawFlax(canvas, 70, 184, 50);
  },
  driveway: (canvas, random) => {
    drawLandscape(canvas, random, 170);
    const house = drawHouse(canvas, random, 250, 216, 190, 128);
    canvas.rect(330, house.eaves + 14, 80, 58, ['#e7e9ea', '#cdd1d3']);
    for (let y = 1; y < 4; y += 1) canvas.rect(330, house.eaves + 14 + y * 14, 80, 1.6, '#00000026');
    canvas.polygon(
      [
        [330, 216],
        [410, 216],
        [380, 360],
        [60, 360],
      ],
      ['#c9c9c4', '#a7a7a1'],
    );
    canvas.line([350, 252], [280, 300], 2.4, '#77777188');
    canvas.line([280, 300], [250, 360], 2.8, '#77777188');
    canvas.line([280, 300], [216, 316], 2, '#77777188');
    for (let at = 0; at < 6; at += 1) drawFlax(canvas, 40 + at * 34, 300 - at * 12, 26, '#6c8f4d');
  },
  heatPump: (canvas, random) => {
    canvas.rect(0, 0, 480, 360, [random.pick(['#e8e2d4', '#d5dfdd', '#e6d8bd'] as const), '#cfc6b3']);
    for (let y = 22; y < 300; y += 24) canvas.rect(0, y, 480, 2, '#00000018');
    canvas.rect(0, 300, 480, 60, ['#a9a79e', '#8f8d85']);
    canvas.rect(300, 20, 10, 180, '#f6f6f3');
    canvas.ellipse(238, 312, 140, 10, '#00000030');
    canvas.rect(120, 166, 236, 138, ['#fbfbf8', '#dadbd6']);
    canvas.ellipse(204, 236, 58, 58, '#c5c7c2');
    canvas.ellipse(204, 236, 53, 53, '#55605f');
    for (const size of [46, 36, 26, 16]) {
      canvas.ellipse(204, 236, size, size, '#7b8685');
      canvas.ellipse(204, 236, size - 4, size - 4, '#55605f');
    }
    for (let y = 0; y < 8; y += 1) canvas.rect(284, 188 + y * 13, 54, 5, '#b9bbb6');
    drawFlax(canvas, 430, 316, 90);
  },
  solar: (canvas, random) => {
    drawLandscape(canvas, random, 262);
    const house = drawHouse(canvas, random, 40, 326, 400, 250);
    const top = house.ridge + 16;
    for (let row = 0; row < 2; row += 1) {
      for (let at = 0; at < 5; at += 1) {
        const x = 130 + at * 46 - row * 9;
        const y = top + row * 44;
        canvas.polygon(
          [
            [x, y],
            [x + 42, y],
            [x + 38 + at, y + 39],
            [x - 6 + at, y + 39],
          ],
          ['#27456b', '#163052'],
        );
        canvas.line([x + 6, y + 30], [x + 34, y + 4], 3, '#ffffff2c');
      }
    }
    drawWindow(canvas, 100, house.eaves + 34, 80, 60);
    drawWindow(canvas, 300, house.eaves + 34, 80, 60);
  },
  digger: (canvas, random) => {
    drawLandscape(canvas, random, 190);
    canvas.polygon(
      [
        [0, 262],
        [480, 236],
        [480, 360],
        [0, 360],
      ],
      ['#a98560', '#7d5f42'],
    );
    canvas.polygon(
      [
        [20, 300],
        [150, 286],
        [170, 360],
        [0, 360],
      ],
      '#5f4631',
    );
    canvas.rect(236, 274, 150, 26, '#3c3f41');
    for (const x of [250, 290, 330, 370]) canvas.ellipse(x, 287, 12, 12, '#6a6e70');
    canvas.polygon(
      [
        [256, 218],
        [372, 218],
        [384, 274],
        [248, 274],
      ],
      ['#f0b429', '#d08f15'],
    );
    canvas.polygon(
      [
        [286, 168],
        [340, 168],
        [350, 222],
        [282, 222],
      ],
      '#f0b429',
    );
    canvas.rect(292, 176, 44, 38, ['#8fb4c4', '#c9dfe6']);
    canvas.line([262, 232], [190, 150], 15, '#e0a31f');
    canvas.line([192, 150], [128, 246], 12, '#e0a31f');
    canvas.polygon(
      [
        [108, 240],
        [150, 246],
        [140, 284],
        [104, 276],
      ],
      '#5a5f62',
    );
  },
  washing: (canvas, random) => {
    drawLandscape(canvas, random, 270);
    canvas.rect(0, 60, 480, 240, ['#f2ecdf', '#ddd4c0']);
    for (let y = 78; y < 300; y += 20) canvas.rect(0, y, 480, 2, '#00000018');
    for (let at = 0; at < 90; at += 1)
      canvas.ellipse(
        random.below(250),
        150 + random.below(150),
        6 + random.below(18),
        4 + random.below(9),
        '#6f855338',
      );
    canvas.rect(0, 30, 480, 34, '#4d4f57');
    canvas.rect(0, 60, 480, 9, '#ffffff');
    drawWindow(canvas, 312, 110, 110, 96);
    canvas.polygon(
      [
        [300, 330],
        [250, 236],
        [232, 246],
        [288, 336],
      ],
      '#bfe0ec88',
    );
    canvas.line([294, 332], [340, 356], 9, '#e05d2f');
  },
  paint: (canvas, random) => {
    drawLandscape(canvas, random, 270);
    const fresh = random.pick(['#5d8aa0', '#7f9c74', '#c98d5e', '#a95c4f'] as const);
    canvas.rect(0, 40, 480, 260, '#e4ddcf');
    canvas.polygon(
      [
        [0, 40],
        [230, 40],
        [210, 300],
        [0, 300],
      ],
      fresh,
    );
    for (let y = 60; y < 300; y += 22) canvas.rect(0, y, 480, 2, '#0000001e');
    for (let at = 0; at < 26; at += 1)
      canvas.ellipse(
        240 + random.below(230),
        60 + random.below(230),
        4 + random.below(12),
        3 + random.below(7),
        '#b7a98c',
      );
    drawWindow(canvas, 300, 96, 110, 100);
    canvas.rect(178, 316, 56, 40, ['#d4d7d8', '#aab0b2']);
    canvas.ellipse(206, 316, 28, 8, fresh);
    canvas.line([214, 314], [262, 256], 7, '#9c7448');
    canvas.polygon(
      [
        [256, 262],
        [276, 240],
        [288, 250],
        [268, 272],
      ],
      '#5a4a3a',
    );
  },
  shed: (canvas, random) => {
    drawLandscape(canvas, random, 200);
    drawTree(canvas, 70, 246, 150);
    const iron = random.pick(['#7f9aa3', '#8f6b58', '#7d8f6a'] as const);
    canvas.polygon(
      [
        [150, 190],
        [260, 120],
        [380, 190],
        [380, 304],
        [150, 304],
      ],
      [iron, '#6d7a78'],
    );
    for (let x = 158; x < 380; x += 13) canvas.rect(x, 190, 3, 114, '#ffffff26');
    canvas.polygon(
      [
        [136, 196],
        [260, 110],
        [394, 196],
        [394, 184],
        [260, 98],
        [136, 184],
      ],
      '#5a4038',
    );
    canvas.rect(218, 208, 92, 96, ['#a87c4e', '#86643f']);
    canvas.line([218, 208], [310, 304], 6, '#755535');
    canvas.line([310, 208], [218, 304], 6, '#755535');
    drawFlax(canvas, 430, 320, 80);
  },
} satisfies Record<string, Scene>;
