import { useLayoutEffect, useRef, useState } from 'react';
import { proofAttribute } from '../../../shared/lib/landing-proof.ts';
import styles from './proof.module.css';

/** What the server has written into the document. The app that takes over the page shows the same. */
let written: Element | null | undefined;

/**
 * Jobs and businesses of the day, as the server wrote them; nothing in a document that was kept on the device, or made
 * by the app.
 */
export function Proof() {
  const place = useRef<HTMLDivElement>(null);
  // The document still stands while this renders for the first time.
  useState(() => (written ??= globalThis.document?.querySelector(`[${proofAttribute}]`)));
  useLayoutEffect(() => {
    if (written) place.current?.replaceChildren(...written.cloneNode(true).childNodes);
  }, []);
  return <div ref={place} className={styles.proof} {...{ [proofAttribute]: '' }} />;
}
