import type { PersonDb } from '../db/person-db.ts';
import type { ShelfGate } from '../shelves/shelf-gate.ts';

interface AskForFeedPorts {
  db: PersonDb;
  gate: ShelfGate;
  /** Starts an exchange. */
  wake(): void;
  log(event: string, detail: string): void;
}

/**
 * The first exchange on a new phone does not know yet that its person is a tradie, and asks for no feed. As soon as the answer
 * has said so there is another, instead of an empty list until the next minute's.
 */
export function askForFeed({ db, gate, wake, log }: AskForFeedPorts): () => void {
  const look = () => {
    if (gate.current() !== 'open') return;
    db.shelfStates.get('feed').then(
      (state) => {
        if (state === undefined || state.denied) wake();
      },
      (error: unknown) => log('feed-unasked', String(error)),
    );
  };
  return gate.subscribe(look);
}
