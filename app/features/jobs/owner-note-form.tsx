import { useState, type FormEvent } from 'react';
import type { Interest } from '../../../shared/tables/index.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { useTypedText } from '../../hooks/use-typed-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './interested-tradie.module.css';

interface OwnerNoteFormProps {
  readonly interest: Interest;
  /** It was saved, or given up. */
  readonly onDone: () => void;
}

export function OwnerNoteForm({ interest, onDone }: OwnerNoteFormProps) {
  // What was there when the writing began: another device may change it meanwhile.
  const [was] = useState(interest.ownerNote);
  const note = useTypedText(`owner-note/${interest.id}`, was ?? '');
  const { may, mutate } = useMutation('interest.note', interest);
  const end = () => {
    void note.clear();
    onDone();
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (note.text.trim() === (was ?? '')) return end();
    const result = await mutate(
      { id: interest.id, set: { ownerNote: note.text }, base: { ownerNote: was } },
      { fallback: 'Could not be saved' },
    );
    if (result.kind !== 'failed') end();
  };
  return (
    <form className={styles.own} onSubmit={save}>
      <TextField
        label="Your note (only you see this)"
        isMultiline
        rows={2}
        maxLength={1_000}
        autoFocus
        value={note.text}
        onChange={note.change}
      />
      <div className={styles.foot}>
        <Button type="submit" variant="primary" isDisabled={!may}>
          Save note
        </Button>
        <Button onPress={end}>Cancel</Button>
      </div>
    </form>
  );
}
