import type { Actor } from '../actor.ts';
import { defaultPreferences } from '../tables/preferences.ts';
import type { Preferences } from '../tables/index.ts';
import type { Tx } from './tx.ts';

/** The actor's own preferences; the defaults where they have set none. */
export async function preferencesOf(tx: Tx, actor: Actor): Promise<Preferences> {
  return (await tx.preferences.get(actor.id)) ?? defaultPreferences(actor.id);
}

export async function changePreferences(
  tx: Tx,
  actor: Actor,
  changes: Partial<Omit<Preferences, 'id' | 'userId'>>,
): Promise<void> {
  if ((await tx.preferences.get(actor.id)) === undefined)
    await tx.preferences.insert({ ...defaultPreferences(actor.id), ...changes });
  else await tx.preferences.update(actor.id, changes);
}
