import type { App } from '../context/app-context.ts';
import type { Made } from '../held/held-changes.ts';
import { heldWords } from '../words/held-words.ts';
import { notSaved } from './not-saved.ts';
import { showOutcomeSoon, type OutcomeContext } from './show-outcome.ts';

/** Tells what became of a held change whose time is over, on whatever page the person is by then. */
export function showHeldOutcome(told: OutcomeContext & Pick<App, 'evictsAfterWeek' | 'connection'>, made: Made): void {
  if ('uid' in made) return void showOutcomeSoon(told, made.name, made.uid);
  told.toasts.show(notSaved(made.error, heldWords[made.name].failed));
}
