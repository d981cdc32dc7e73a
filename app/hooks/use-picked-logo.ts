import { useCallback, useMemo, useRef, useState } from 'react';
import { shrinkLogo, TooManyPixels, UnreadablePicture } from '../photos/shrink.ts';
import { useObjectUrls } from './use-object-urls.ts';

/** A logo as picked: made smaller already, its bytes copied. */
export interface PickedLogo {
  readonly bytes: ArrayBuffer;
  readonly type: string;
  readonly name: string;
}

export interface LogoInHand {
  readonly logo: PickedLogo | undefined;
  /** An object URL for showing it; undefined while there is none. */
  readonly url: string | undefined;
  readonly isShrinking: boolean;
  readonly error: string | undefined;
  readonly pick: (file: File) => Promise<PickedLogo | undefined>;
  readonly put: (logo: PickedLogo | undefined) => void;
}

/** A newly chosen logo. `types`: the accepted types, where not every image is. */
export function usePickedLogo(types?: readonly string[]): LogoInHand {
  const [picked, setPicked] = useState<{ logo: PickedLogo; id: string }>();
  const [isShrinking, setShrinking] = useState(false);
  const [error, setError] = useState<string>();
  const picks = useRef(0);
  const pictures = useMemo(
    () => (picked === undefined ? [] : [{ id: picked.id, bytes: picked.logo.bytes, type: picked.logo.type }]),
    [picked],
  );
  const urls = useObjectUrls(pictures);

  const put = useCallback((next: PickedLogo | undefined) => {
    picks.current += 1;
    setError(undefined);
    setPicked(next === undefined ? undefined : { logo: next, id: `logo-${picks.current}` });
  }, []);
  const pick = useCallback(
    async (file: File) => {
      setError(undefined);
      if (types === undefined ? !file.type.startsWith('image/') : !types.includes(file.type)) {
        setError(types === undefined ? 'The file given is not an image' : 'Choose a JPEG, PNG or WebP picture');
        return undefined;
      }
      setShrinking(true);
      try {
        const { bytes, type, name } = await shrinkLogo(file);
        const shrunk = { bytes, type, name };
        put(shrunk);
        return shrunk;
      } catch (problem) {
        const isKnown = problem instanceof TooManyPixels || problem instanceof UnreadablePicture;
        setError(isKnown ? problem.message : 'That picture could not be read');
        return undefined;
      } finally {
        setShrinking(false);
      }
    },
    [put, types],
  );
  return {
    logo: picked?.logo,
    url: picked === undefined ? undefined : urls.get(picked.id),
    isShrinking,
    error,
    pick,
    put,
  };
}
