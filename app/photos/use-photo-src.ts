import { useEffect, useState } from 'react';

/**
 * An object URL for bytes that are only on this device, valid while the component is mounted; null before the first.
 */
export function usePhotoSrc(bytes: ArrayBuffer, type: string): string | null {
  const [src, setSrc] = useState<string | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    setSrc(url);
    return () => URL.revokeObjectURL(url);
  }, [bytes, type]);
  return src;
}
