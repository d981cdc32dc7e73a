import type { Timeline } from '../sync-server/db/new-timeline.ts';

/** What an operator is told once a timeline has begun. */
export const sayTimeline = ({ timeline, previous, point }: Timeline): string =>
  `A new timeline of the database begins: ${timeline}. It has ${previous} up to version ${point}. Every device will begin anew by itself, and send what came after that, as far as it still holds it.`;
