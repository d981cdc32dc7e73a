import { useEffect, useRef, useState } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useLocalWrite } from '../../hooks/use-local-write.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { locatePhone, maxPlaceAgeHours, type PlaceError } from './phone-place.ts';
import styles from './distance-filter.module.css';

const errors: Readonly<Record<PlaceError, { readonly title: string; readonly what: string }>> = {
  denied: {
    title: 'Location is turned off for Dwang',
    what: "Allow location for this site in the browser's settings, and for the browser in the phone's, then try again.",
  },
  unavailable: {
    title: "This phone can't find its place just now",
    what: "Turn on location in the phone's settings, or step outside, then try again.",
  },
  slow: {
    title: 'This phone took too long to find its place',
    what: 'Step outside or wait a moment, then try again.',
  },
};

type PhonePlaceDialogProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** What the phone's place is for and where it stays, before the browser asks for leave. */
export function PhonePlaceDialog({ isOpen, onClose }: PhonePlaceDialogProps) {
  const { toasts, now } = useApp();
  const { db } = useSessionContext();
  const keep = useLocalWrite();
  const [isFinding, setFinding] = useState(false);
  const [error, setError] = useState<PlaceError>();
  /** Counted, so that what comes after the person has closed the dialog is kept nowhere. */
  const asked = useRef(0);
  useEffect(() => {
    if (isOpen) setError(undefined);
    else {
      asked.current += 1;
      setFinding(false);
    }
  }, [isOpen]);

  const find = async () => {
    asked.current += 1;
    const mine = asked.current;
    setError(undefined);
    setFinding(true);
    // A page without a secure address has no geolocation.
    const found = await locatePhone(navigator.geolocation as Geolocation | undefined);
    if (asked.current !== mine) return;
    setFinding(false);
    if ('error' in found) {
      setError(found.error);
      return;
    }
    const value = { ...found.position, at: now() };
    if (!(await keep(async () => void (await db.meta.put({ key: 'place', value }))))) return;
    toasts.show({ title: 'Distances are from this phone now', description: 'Its place stays on this phone.' });
    onClose();
  };
  return (
    <Dialog
      title="Use my location"
      isOpen={isOpen}
      onOpenChange={(isOn) => !isOn && onClose()}
      actions={
        <>
          <Button onPress={onClose}>Not now</Button>
          <Button variant="primary" isBusy={isFinding} busyText="Finding…" onPress={find}>
            {error === undefined ? 'Find my place' : 'Try again'}
          </Button>
        </>
      }
    >
      <div className={styles.explained}>
        <p>See how far each job is from where you are now, instead of from your base town.</p>
        <ul>
          <li>Your browser asks you first.</li>
          <li>The place stays on this phone, to about a kilometre. It is never sent to Dwang.</li>
          <li>{`It is deleted after ${maxPlaceAgeHours} hours, when you go back to your base town, and when you log out.`}</li>
        </ul>
        {error !== undefined && (
          <Banner tone="warn" title={errors[error].title} announce="alert">
            <p>{errors[error].what}</p>
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
