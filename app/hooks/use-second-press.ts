import { useRef, type MouseEvent, type PointerEvent } from 'react';

/** As long as two presses count as a double click. */
const doubleMs = 500;

/**
 * For a part that shows another thing after a press, in its place: the second press of a double click lands on what has
 * come, and is not meant for it. `id`: of what is shown.
 */
export function useSecondPress(id: string) {
  const last = useRef({ id, at: Number.NEGATIVE_INFINITY });
  const isSecond = useRef(false);
  return {
    onPointerDownCapture: (event: PointerEvent) => {
      const { timeStamp: at } = event;
      isSecond.current = last.current.id !== id && at - last.current.at < doubleMs;
      last.current = { id: isSecond.current ? last.current.id : id, at };
      if (isSecond.current) event.stopPropagation();
    },
    onClickCapture: (event: MouseEvent) => {
      // A click by the keyboard is none of a pointer's, and has no count.
      if (!isSecond.current || event.detail === 0) return;
      isSecond.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
