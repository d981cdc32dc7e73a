/**
 * done: nailed in. empty: marked out. locked: behind a sheet of ply. offline: on the floor still. lost: out of plumb.
 */
export type Picture = 'done' | 'empty' | 'locked' | 'offline' | 'lost';

export type DrawingPart = 'timber' | 'dwang' | 'steel' | 'outline' | 'line' | 'grain' | 'good' | 'bad';

const bay = 'M18 14h124v12H18zM18 94h124v12H18zM36 26h14v68H36zM110 26h14v68h-14z';

/** The paths of each drawing, in `drawingBox`: what each is of, and its line. */
export const drawings: Readonly<Record<Picture, readonly (readonly [DrawingPart, string])[]>> = {
  done: [
    ['timber', bay],
    ['dwang', 'M50 58h60v14H50z'],
    ['line', 'M50 62h8M50 68h8M102 62h8M102 68h8'],
    ['good', 'm69 41 8 8 15-16'],
  ],
  empty: [
    ['timber', bay],
    ['outline', 'M52 46h56v14H52z'],
    ['line', 'm39 49 8 8m0-8-8 8M113 49l8 8m0-8-8 8'],
    ['bad', 'm66 84 34-16 4 8-34 16z'],
    ['timber', 'm66 84 4 8-13 2z'],
  ],
  locked: [
    ['timber', bay],
    ['timber', 'M30 30h100v60H30z'],
    ['grain', 'M36 42c24-5 46 5 88-1M36 80c16 4 40-4 88 1M36 61c8-2 14 1 20 0M104 61c8-2 12 1 20 0'],
    ['steel', 'M64 56h32v24H64z'],
    ['outline', 'M70 56v-8a10 10 0 0 1 20 0v8'],
    ['line', 'M80 64v8'],
  ],
  offline: [
    ['timber', bay],
    ['outline', 'M52 46h56v14H52z'],
    ['dwang', 'M52 80h56v14H52z'],
    ['grain', 'M132 54v-6M140 54v-12M148 54V36'],
    ['bad', 'm126 32 26 26'],
  ],
  lost: [
    ['timber', 'M30 14h124v12H30zM18 94h124v12H18zM36 94h14l12-68H48zM110 94h14l12-68h-14z'],
    ['dwang', 'M57 54h60l-2.5 14h-60z'],
    ['line', 'M88 20v56'],
    ['steel', 'M83 74h10v6l-5 10-5-10z'],
  ],
};

export const drawingBox = '14 8 144 102';
