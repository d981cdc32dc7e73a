/** One transparent pixel: the shortest file that the browser and the server both take for a picture. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A picture that a person picks. Its bytes are a PNG's, whatever `type` the file says it is of. */
export function makePicture(name: string, type = 'image/png'): File {
  return new File([Uint8Array.from(atob(pixel), (letter) => letter.charCodeAt(0))], name, { type });
}
