import { useEffect, useState } from 'react';

interface Bytes {
  readonly id: string;
  readonly bytes: ArrayBuffer;
  readonly type: string;
}

const idsOf = (pictures: readonly Bytes[]) => pictures.map(({ id }) => id).join();

/** An object URL for each picture that is only on this device; revoked when it is no longer shown. Id to address. */
export function useObjectUrls(pictures: readonly Bytes[]): ReadonlyMap<string, string> {
  const [urls, setUrls] = useState<ReadonlyMap<string, string>>(new Map());
  // Pictures are never changed in place: the ids say whether these are the same ones.
  const [shown, setShown] = useState(pictures);
  if (idsOf(shown) !== idsOf(pictures)) setShown(pictures);
  useEffect(() => {
    const made = new Map(shown.map(({ id, bytes, type }) => [id, URL.createObjectURL(new Blob([bytes], { type }))]));
    setUrls(made);
    return () => made.forEach((url) => URL.revokeObjectURL(url));
  }, [shown]);
  return urls;
}
