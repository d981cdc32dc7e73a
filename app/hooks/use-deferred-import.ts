import { useEffect, useState } from 'react';

/**
 * A part of the interface that is fetched once it is wanted; undefined until it is here. Unlike `lazy`, it is shown as
 * soon as it comes.
 */
export function useDeferredImport<Part>(
  isWanted: boolean,
  load: () => Promise<Part>,
  onError: (error: unknown) => void,
): Part | undefined {
  const [part, setPart] = useState<Part>();
  const isHere = part !== undefined;
  useEffect(() => {
    if (!isWanted || isHere) return;
    let isGone = false;
    load().then(
      (loaded) => {
        if (!isGone) setPart(() => loaded);
      },
      (error: unknown) => {
        if (!isGone) onError(error);
      },
    );
    return () => {
      isGone = true;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what loads it is written where it is used and does not change
  }, [isWanted, isHere]);
  return part;
}
