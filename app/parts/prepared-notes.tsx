import { useRef, useState, type FormEvent } from 'react';
import { maxPreparedNotes } from '../../shared/tables/fields.ts';
import { useDirtyForm } from '../hooks/use-dirty-form.ts';
import { usePreparedNotes } from '../hooks/use-prepared-notes.ts';
import { useTypedText } from '../hooks/use-typed-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { noteNames } from '../words/note-names.ts';
import { words } from '../words/common-words.ts';
import { ItemStateBadge } from './item-state-badge.tsx';
import styles from './prepared-notes.module.css';

/** All prepared notes: each to be changed or deleted, and room for another. */
export function PreparedNotes() {
  const { notes, unsent, may, isFull, add, replace, remove } = usePreparedNotes();
  const [edited, setEdited] = useState<string>();
  const [said, setSaid] = useState('');
  const list = useRef<HTMLDivElement>(null);
  if (notes === undefined || !may) return null;
  const names = noteNames(notes);
  const done = (saying: string) => {
    setEdited(undefined);
    setSaid(saying);
    // The form is gone, and the focus would be lost with it.
    list.current?.focus({ preventScroll: true });
  };
  return (
    <div ref={list} tabIndex={-1} className={styles.whole}>
      <p className={styles.soft}>
        What you often write to homeowners. Tap one when you express interest, and it is in the note. You can keep{' '}
        {maxPreparedNotes}.
      </p>
      <p role="status" className={styles.said}>
        <VisuallyHidden>{said}</VisuallyHidden>
      </p>
      {notes.length > 0 && (
        <ul role="list" className={styles.notes}>
          {notes.map((text, at) => (
            <li key={text}>
              {edited === text ? (
                <NoteForm
                  label="Prepared note"
                  was={text}
                  save="Save"
                  onSave={async (next) => {
                    const isKept = next.trim() === text || (await replace(text, next));
                    if (isKept) done('Saved');
                    return isKept;
                  }}
                  onCancel={() => done('')}
                />
              ) : (
                <>
                  <p className={styles.text}>{text}</p>
                  <div className={styles.foot}>
                    <Button aria-label={`Edit note: ${names[at]}`} icon="edit" onPress={() => setEdited(text)}>
                      Edit
                    </Button>
                    <Button
                      aria-label={`Delete note: ${names[at]}`}
                      variant="plain"
                      icon="trash"
                      onPress={async () => {
                        if (await remove(text)) done('Deleted');
                      }}
                    >
                      Delete
                    </Button>
                    {unsent.has(text) && <ItemStateBadge state={{ kind: 'saved', words: words.saved }} />}
                  </div>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {isFull ? (
        <p className={styles.soft}>
          You have {maxPreparedNotes}, the most there is room for. Delete one to add another.
        </p>
      ) : (
        <NoteForm
          label="New prepared note"
          was=""
          save="Add note"
          onSave={async (next) => {
            const isKept = await add(next);
            if (isKept) setSaid('Note added');
            return isKept;
          }}
        />
      )}
    </div>
  );
}

type NoteFormProps = {
  readonly label: string;
  readonly was: string;
  readonly save: string;
  /** False where it was not kept: what was typed stays. */
  readonly onSave: (text: string) => Promise<boolean>;
  readonly onCancel?: () => void;
};

function NoteForm({ label, was, save, onSave, onCancel }: NoteFormProps) {
  const { text, change, clear } = useTypedText(`prepared-note/${was}`, was);
  const [error, setError] = useState<string>();
  useDirtyForm(text !== was);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A dialog is drawn elsewhere and is still inside the form of the page, as far as React's events go.
    event.stopPropagation();
    if (text.trim() === '') return setError('Write the note first.');
    if (await onSave(text)) await clear();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={label}
        isMultiline
        rows={3}
        maxLength={1_000}
        isCounted={text.length > 800}
        autoFocus={was !== ''}
        value={text}
        onChange={(next) => {
          change(next);
          setError(undefined);
        }}
        {...(error === undefined ? {} : { error })}
      />
      <div className={styles.foot}>
        <Button type="submit" variant={was === '' ? 'quiet' : 'primary'}>
          {save}
        </Button>
        {onCancel !== undefined && (
          <Button
            variant="plain"
            onPress={() => {
              void clear();
              onCancel();
            }}
          >
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

/** The prepared notes over the form that they are for. */
export function PreparedNotesDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Prepared notes" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <PreparedNotes />
    </Dialog>
  );
}
