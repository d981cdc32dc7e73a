import { useRef, useState } from 'react';
import { useApp } from '../../context/app-context.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { usePreparedNotes } from '../../hooks/use-prepared-notes.ts';
import { Chip } from '../../ui/chip.tsx';
import { FieldLock } from '../../ui/field-lock.tsx';
import { QuickButton } from '../../ui/quick-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { noteNames } from '../../words/note-names.ts';
import { whyNotFetched } from '../../words/reach-words.ts';
import { insertNote, maxNote, withoutNote } from './insert-note.ts';
import styles from './note-field.module.css';
import { formatNumber } from '../../lib/format-number.ts';

type NoteFieldProps = {
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly isLocked: boolean;
  /** How high it is at first, in lines. */
  readonly rows: number;
};

const loadNotes = () => import('../../parts/prepared-notes.tsx');

/** The note to the homeowner: typed, or a prepared one in a tap. */
export function NoteField({ note, onNote, isLocked, rows }: NoteFieldProps) {
  const { toasts, connection } = useApp();
  const prepared = usePreparedNotes();
  const notes = prepared.notes ?? [];
  const [before, setBefore] = useState<string>();
  const [said, setSaid] = useState('');
  const whole = useRef<HTMLDivElement>(null);
  const [isManaging, setManaging] = useState(false);
  const dialog = useDeferredImport(isManaging, loadNotes, () => {
    setManaging(false);
    toasts.show({ title: 'Error', description: whyNotFetched(connection.current().kind), variant: 'destructive' });
  });
  const names = noteNames(notes);
  const typed = note.trim();
  const set = (next: string, saying: string) => {
    if (isLocked) return;
    setBefore(note);
    onNote(next);
    setSaid(saying);
  };
  const press = (text: string) => {
    const left = withoutNote(note, text);
    if (left !== undefined) return set(left, 'Note taken out');
    const next = insertNote(note, text, notes);
    if (next === undefined)
      return setSaid(`No room for this note as well: ${formatNumber(maxNote)} characters at most.`);
    set(next, 'Note put in');
  };
  const isFullWords = said.startsWith('No room');
  return (
    <div ref={whole} tabIndex={-1} className={styles.field} data-low={rows < 3 || undefined}>
      {prepared.may && notes.length > 0 && (
        <div className={styles.notes} role="group" aria-label="Prepared notes">
          {notes.map((text, at) => (
            <Chip key={text} isOn={withoutNote(note, text) !== undefined} onPress={() => press(text)}>
              {names[at]}
            </Chip>
          ))}
          <Chip icon="edit" adds opensDialog onPress={() => setManaging(true)}>
            Edit my notes
          </Chip>
        </div>
      )}
      <FieldLock isLocked={isLocked}>
        <TextField
          label="Note to the homeowner"
          isOptional
          isMultiline
          rows={rows}
          maxLength={maxNote}
          isCounted={note.length > 800}
          value={note}
          onChange={(next) => {
            if (isLocked) return;
            setBefore(undefined);
            setSaid('');
            onNote(next);
          }}
        />
      </FieldLock>
      <p role="status" className={isFullWords ? styles.full : styles.said}>
        {isFullWords ? said : <VisuallyHidden>{said}</VisuallyHidden>}
      </p>
      <div className={styles.under}>
        {before !== undefined && before.trim() !== typed && before.trim() !== '' && (
          <QuickButton
            variant="plain"
            icon="undo"
            onPress={() => {
              onNote(before);
              setBefore(undefined);
              setSaid('Undone');
              whole.current?.focus({ preventScroll: true });
            }}
          >
            Undo
          </QuickButton>
        )}
        {prepared.may && prepared.notes !== undefined && typed !== '' && !notes.includes(typed) && (
          <QuickButton
            variant="plain"
            icon="plus"
            onPress={async () => {
              if (prepared.isFull) return setManaging(true);
              if (!(await prepared.add(note))) return;
              setSaid('Kept as a prepared note');
              whole.current?.focus({ preventScroll: true });
            }}
          >
            Keep as prepared note
          </QuickButton>
        )}
        {prepared.may && prepared.notes !== undefined && notes.length === 0 && typed === '' && (
          <QuickButton variant="plain" icon="plus" onPress={() => setManaging(true)}>
            Add prepared notes
          </QuickButton>
        )}
      </div>
      {isManaging && dialog !== undefined && <dialog.PreparedNotesDialog onClose={() => setManaging(false)} />}
    </div>
  );
}
