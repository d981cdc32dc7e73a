/** A picture as the engine has read it, to be encoded anew. */
export interface DrawnPicture {
  readonly width: number;
  readonly height: number;
  /** What an engine cannot encode it answers in PNG: see the blob's type. */
  encode(wanted: { width: number; height: number; type: string; quality: number }): Promise<Blob>;
  close(): void;
}

/** Rejects what the engine takes for no picture. */
export type DrawPicture = (file: Blob) => Promise<DrawnPicture>;

/** The engine's own reading and encoding, which leave the page to the person: no code of ours goes over the pixels. */
export const drawPicture: DrawPicture = async (file) => {
  const source = await readPixels(file);
  const canvas = document.createElement('canvas');
  return {
    width: source.width,
    height: source.height,
    encode: ({ width, height, type, quality }) => {
      [canvas.width, canvas.height] = [width, height];
      // Kept where it is read: fetching it back from a graphics card can take longer than the encoding.
      const context = canvas.getContext('2d', { willReadFrequently: true });
      if (context === null) throw new Error('No canvas to draw on.');
      // JPEG has no transparency, and would show black.
      if (type === 'image/jpeg') {
        context.fillStyle = '#fff';
        context.fillRect(0, 0, width, height);
      }
      context.imageSmoothingQuality = 'high';
      context.drawImage(source.image, 0, 0, width, height);
      return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => (blob === null ? reject(new Error('The canvas could not be encoded.')) : resolve(blob)), type, quality);
      });
    },
    close: () => {
      source.close();
      // Safari frees the memory of a canvas that has no size.
      [canvas.width, canvas.height] = [0, 0];
    },
  };
};

interface Pixels {
  image: CanvasImageSource;
  width: number;
  height: number;
  close(): void;
}

/** Turned as the camera was held. */
async function readPixels(file: Blob): Promise<Pixels> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    return { image: bitmap, width: bitmap.width, height: bitmap.height, close: () => bitmap.close() };
  } catch {
    // An engine that knows no `from-image` would lay portraits down, and none makes a bitmap of an SVG.
    return readByElement(file);
  }
}

async function readByElement(file: Blob): Promise<Pixels> {
  const image = new Image();
  const url = URL.createObjectURL(file);
  try {
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width === 0 || height === 0) throw new Error('The file given is not an image');
    return { image, width, height, close: () => URL.revokeObjectURL(url) };
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
}
