import type { App } from '../context/app-context.ts';
import type { Made } from '../held/held-changes.ts';
import { faultWords } from '../words/fault-words.ts';
import { heldWords } from '../words/held-words.ts';
import { showOutcomeSoon, type OutcomeContext } from './show-outcome.ts';

/** Tells what became of a held change whose time is over, on whatever page the person is by then. */
export function showHeldOutcome(told: OutcomeContext & Pick<App, 'evictsAfterWeek'>, made: Made): void {
  if ('uid' in made) return void showOutcomeSoon(told, made.name, made.uid);
  told.toasts.show({
    title: 'Error',
    description: faultWords(made.fault, heldWords[made.name].failed),
    variant: 'destructive',
  });
}
