import * as z from 'zod/mini';
import { id, maxPreparedNotes, note, visible } from '../tables/fields.ts';
import type { Preferences } from '../tables/index.ts';
import { alertChoice } from '../tables/preferences.ts';
import { defineMutation, type Question } from './define-mutation.ts';
import { changePreferences, preferencesOf } from './own-preferences.ts';
import { Rejection } from './rejection.ts';

const preparedNote = note.check(z.minLength(1, 'Write the note first.'), visible('The note'));

/** About one's own account: `id` is the person's own. */
const isSelf = ({ actor, row }: Question<'users'>) => row.id === actor.id;

export const preferenceMutations = {
  /**
   * A text to answer jobs with is added (before another, where that is named and still there; else at the end), taken
   * out, or (both named) replaced where it stands. Texts are named by what they say, so that what two devices add at
   * the same time is both there.
   */
  'note.prepare': defineMutation({
    on: 'users',
    args: z.object({
      id,
      add: z.optional(preparedNote),
      remove: z.optional(preparedNote),
      before: z.optional(preparedNote),
    }),
    allow: ({ actor, row }) => isSelf({ actor, row, now: '' }) && actor.tradieId !== null,
    apply: async (tx, { actor, args: { add, remove, before } }) => {
      const { preparedNotes: kept } = await preferencesOf(tx, actor);
      const left = kept.filter((text) => text !== remove && text !== add);
      const place = remove !== undefined ? kept.indexOf(remove) : before !== undefined ? left.indexOf(before) : -1;
      const preparedNotes =
        add === undefined ? left : left.toSpliced(place === -1 ? left.length : Math.min(place, left.length), 0, add);
      if (preparedNotes.length > maxPreparedNotes)
        throw new Rejection('too-many-notes', `You can keep ${maxPreparedNotes} prepared notes. Take one out first.`);
      await changePreferences(tx, actor, { preparedNotes });
    },
  }),

  /** How the person is told of news, from now on. What is not named stays. */
  'alerts.choose': defineMutation({
    on: 'users',
    args: z.object({ id, choice: alertChoice }),
    allow: isSelf,
    apply: (tx, { actor, args }) => changePreferences(tx, actor, args.choice as Partial<Preferences>),
  }),

  /** Whether tradies learn that their interest was seen, from now on. */
  'seen.tell': defineMutation({
    on: 'users',
    args: z.object({ id, tells: z.boolean() }),
    allow: isSelf,
    apply: (tx, { actor, args }) => changePreferences(tx, actor, { tellsSeen: args.tells }),
  }),
};
