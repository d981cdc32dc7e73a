import { useState } from 'react';
import type { Interest } from '../../../shared/tables/index.ts';
import { useApp } from '../../context/app-context.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { Button } from '../../ui/button.tsx';
import { faultWords } from '../../words/fault-words.ts';
import styles from './interested-tradie.module.css';

// The dashboard shows this too, and most who look at it write no note.
const loadForm = () => import('./owner-note-form.tsx');

/** The owner's own words on a tradie: "Rang, comes on Monday". No other person ever sees them. */
export function OwnerNote({ interest }: { readonly interest: Interest }) {
  const { toasts } = useApp();
  const [isWriting, setWriting] = useState(false);
  const form = useDeferredImport(isWriting, loadForm, (fault) => {
    setWriting(false);
    toasts.show({ title: 'Error', description: faultWords(fault, 'Could not be opened'), variant: 'destructive' });
  });
  const kept = interest.ownerNote ?? '';
  if (isWriting && form !== undefined)
    return <form.OwnerNoteForm interest={interest} onDone={() => setWriting(false)} />;
  return (
    <div className={styles.own}>
      {kept !== '' && <p className={styles.note}>Your note: {kept}</p>}
      <Button variant="plain" isBusy={isWriting} onPress={() => setWriting(true)}>
        {kept === '' ? 'Add a note for yourself' : 'Change your note'}
      </Button>
    </div>
  );
}
