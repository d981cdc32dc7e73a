/** How a photo lies in its place: enlarged by `scale` around the middle, then moved by `x` and `y` px. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const wholePhoto: Zoom = { scale: 1, x: 0, y: 0 };
const maxScale = 5;
/** What one tap of two makes of it. */
export const tappedScale = 2.5;
/** A finger that goes this far means the next photo, or away. */
const swipePx = 60;

/**
 * `zoom` enlarged `by` around a point that stays under the fingers, given from the middle of the place, in px. The
 * photo covers the place (`size`) as far as it can: it is not lost outside.
 */
export function zoomAt(
  zoom: Zoom,
  by: number,
  at: Point,
  size: { readonly width: number; readonly height: number },
): Zoom {
  const scale = Math.min(maxScale, Math.max(1, zoom.scale * by));
  const ratio = scale / zoom.scale;
  return within({ scale, x: at.x - (at.x - zoom.x) * ratio, y: at.y - (at.y - zoom.y) * ratio }, size);
}

/** `zoom` moved, as far as there is more of the photo on that side. */
export function moveBy(zoom: Zoom, by: Point, size: { readonly width: number; readonly height: number }): Zoom {
  return within({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, size);
}

function within({ scale, x, y }: Zoom, { width, height }: { readonly width: number; readonly height: number }): Zoom {
  const max = { x: (width * (scale - 1)) / 2, y: (height * (scale - 1)) / 2 };
  return {
    scale,
    x: Math.min(max.x, Math.max(-max.x, x)),
    y: Math.min(max.y, Math.max(-max.y, y)),
  };
}

/** What a finger meant that went this far over a photo in its whole size. */
export function swipeOf({ x, y }: Point): 'next' | 'previous' | 'away' | 'nothing' {
  if (Math.abs(x) > Math.abs(y)) return x < -swipePx ? 'next' : x > swipePx ? 'previous' : 'nothing';
  return y > swipePx ? 'away' : 'nothing';
}
