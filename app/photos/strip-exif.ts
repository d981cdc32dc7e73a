/**
 * A JPEG without its application segments 1 to 15 (EXIF with the place it was taken at, XMP, maker's notes); other files as they are.
 * For the rare photo that could not be drawn again, which is what usually drops them (Privacy Act 2020; product.md section 3).
 */
export function stripExif(bytes: ArrayBuffer): ArrayBuffer {
  const view = new DataView(bytes);
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return bytes;
  const kept: Uint8Array[] = [new Uint8Array(bytes, 0, 2)];
  let at = 2;
  while (at + 4 <= view.byteLength) {
    const marker = view.getUint16(at);
    // Picture data from here on, or nothing a reader would understand either.
    if (marker === 0xffda || marker >> 8 !== 0xff) break;
    const end = at + 2 + view.getUint16(at + 2);
    if (end > view.byteLength) break;
    if (marker < 0xffe1 || marker > 0xffef) kept.push(new Uint8Array(bytes, at, end - at));
    at = end;
  }
  kept.push(new Uint8Array(bytes, at));
  const stripped = new Uint8Array(kept.reduce((total, piece) => total + piece.length, 0));
  let to = 0;
  for (const piece of kept) {
    stripped.set(piece, to);
    to += piece.length;
  }
  return stripped.buffer;
}
