/** What a picture is drawn as. */
export interface Drawing {
  /** PNG where the engine cannot write it (WebP in Safari). */
  readonly type: 'image/jpeg' | 'image/webp';
  /** Pixels of the longer side, at most. */
  readonly maxSide: number;
  readonly maxBytes: number;
}

const firstQuality = 0.85;
/** Below it pixels are blocks: fewer of them are better. */
const leastQuality = 0.3;
const step = 0.8;

/**
 * Draws `file` again, upright as its EXIF says, and white behind what is transparent where the type has no
 * transparency. Takes memory for one unpacked picture, four bytes a pixel, and gives it back at once: a phone's browser
 * ends a page that keeps several until it collects garbage. Rejects where the browser cannot read the file.
 */
export async function drawPicture(file: Blob, { type, maxSide, maxBytes }: Drawing): Promise<Blob> {
  let canvas = await unpack(file, maxSide, type === 'image/jpeg');
  for (let quality = firstQuality; ;) {
    const drawn = await write(canvas, type, quality);
    if (drawn.size <= maxBytes) {
      release(canvas);
      return drawn;
    }
    // A PNG has no quality.
    if (drawn.type === type && quality * step >= leastQuality) quality *= step;
    else canvas = redraw(canvas);
  }
}

async function unpack(file: Blob, maxSide: number, isOpaque: boolean): Promise<HTMLCanvasElement> {
  const picture = await createImageBitmap(file);
  try {
    const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
    return paint(picture, scale, isOpaque);
  } finally {
    picture.close();
  }
}

function redraw(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const smaller = paint(canvas, step, false);
  release(canvas);
  return smaller;
}

function paint(picture: ImageBitmap | HTMLCanvasElement, scale: number, isOpaque: boolean): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser has no canvas.');
  if (isOpaque) {
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

const write = (canvas: HTMLCanvasElement, type: string, quality: number) =>
  new Promise<Blob>((resolve, reject) => {
    canvas.toBlob(
      (drawn) => (drawn === null ? reject(new Error('The picture could not be written.')) : resolve(drawn)),
      type,
      quality,
    );
  });

/** Safari counts a canvas's pixels until it collects garbage, and has a limit for them all. */
function release(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}
