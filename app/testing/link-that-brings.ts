import type { App } from '../context/app-context.ts';
import { createCell } from '../lib/cell.ts';

type Link = App['authRedirect'];

/** A mailed link whose session, where it brings one, was taken. */
export const linkThatBrings = (take: Link['take']): Link => ({
  take,
  comesIn: Promise.resolve(true),
  settled: Promise.resolve(true),
  progress: createCell('none'),
});
