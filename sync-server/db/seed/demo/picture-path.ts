import { join } from 'node:path';

/** The file of a drawn picture of the demo, WebP: a job's is 480 by 360 pixels, a business's sign 192 square. */
export const picturePath = (name: string): string => join(import.meta.dirname, '../pictures', `${name}.webp`);
