import { useApp } from '../../context/app-context.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { Card } from '../../ui/card.tsx';

const loadNotes = () => import('../../parts/prepared-notes.tsx');

/** A tradie's texts to answer jobs with. Loaded by itself, as in the form that they are for, so that neither page carries it for the other. */
export function PreparedNotesCard() {
  const { log } = useApp();
  const part = useDeferredImport(true, loadNotes, (fault) => log('prepared-notes', String(fault)));
  return (
    <Card as="section" labelledBy="prepared-notes">
      <h2 id="prepared-notes">Prepared notes</h2>
      {part !== undefined && <part.PreparedNotes />}
    </Card>
  );
}
