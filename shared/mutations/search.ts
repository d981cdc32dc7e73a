import * as z from 'zod/mini';
import {
  categoryId,
  id,
  instant,
  keepable,
  locationId,
  maxSearches,
  sameInstant,
  text,
  urgency,
} from '../tables/fields.ts';
import type { Search } from '../tables/index.ts';
import { defineCreation, defineMutation, type Question } from './define-mutation.ts';
import { mustNotBeStale } from './edit.ts';
import { changePreferences, preferencesOf } from './own-preferences.ts';
import { Rejection } from './rejection.ts';

const fields = {
  name: text('Name', 60),
  categoryIds: z.array(categoryId).check(z.maxLength(60, 'Choose 60 trades at most.')),
  region: z.nullable(text('Region', 80)),
  locationId: z.nullable(locationId),
  withinKm: z.nullable(z.int().check(z.gte(1, 'Choose a distance.'), z.lte(2_000, 'Choose a distance.'))),
  maxBudget: z.nullable(
    z.int('Enter whole dollars.').check(z.gte(0, 'A budget can’t be less than $0.'), z.lte(1_000_000_000)),
  ),
  urgencies: z.array(urgency).check(z.maxLength(3)),
  words: z
    .string()
    .check(z.trim(), z.maxLength(120, 'Search words can be 120 characters at most.'), keepable('The search')),
};

/** What stays of a deleted search until its row leaves: nothing of what its person looked for. */
const emptied = {
  name: '',
  categoryIds: [],
  region: null,
  locationId: null,
  withinKm: null,
  maxBudget: null,
  urgencies: [],
  words: '',
  lookedUntil: null,
} satisfies Partial<Search>;

const isOwn = ({ actor, row }: Question<'searches'>) => row.userId === actor.id;
const isKept = ({ actor, row }: Question<'searches'>) => row.userId === actor.id && row.removedAt === null;

export const searchMutations = {
  /** The filters as they are, under a name; at the end of the list. */
  'search.save': defineCreation({
    args: z.object({ id, ...fields, lookedUntil: z.optional(z.nullable(instant)) }),
    allow: ({ actor }) => actor.tradieId !== null,
    already: async (tx, { actor, args }) => {
      const row = await tx.searches.get(args.id);
      if (row === undefined) return false;
      if (row.userId === actor.id) return true;
      throw new Rejection('already-exists', 'A search with this id is already there.');
    },
    apply: async (tx, { actor, args, now }) => {
      const { searchOrder } = await preferencesOf(tx, actor);
      if (searchOrder.length >= maxSearches)
        throw new Rejection('too-many-searches', `You can keep ${maxSearches} searches. Delete one first.`);
      const { id: given, lookedUntil, ...set } = args;
      const searchId = given.toLowerCase();
      await tx.searches.insert({
        id: searchId,
        userId: actor.id,
        ...set,
        lookedUntil: sameInstant(lookedUntil ?? null),
        createdAt: now,
        removedAt: null,
      });
      await changePreferences(tx, actor, { searchOrder: [...searchOrder, searchId] });
    },
  }),

  'search.edit': defineMutation({
    on: 'searches',
    args: z.object({
      id,
      set: z.partial(z.object(fields)),
      base: z.partial(z.object({ ...fields, name: z.string(), words: z.string(), region: z.nullable(z.string()) })),
    }),
    allow: isKept,
    apply: async (tx, { args, row }) => {
      mustNotBeStale(row, args.set, args.base);
      await tx.searches.update(row.id, args.set as Partial<Search>);
    },
  }),

  /** Moves a search before another in the list; last where none is named, or the named one is gone. */
  'search.move': defineMutation({
    on: 'searches',
    args: z.object({ id, before: z.nullable(id) }),
    allow: isKept,
    apply: async (tx, { actor, args, row }) => {
      const others = (await preferencesOf(tx, actor)).searchOrder.filter((other) => other !== row.id);
      const at = args.before === null ? -1 : others.indexOf(args.before.toLowerCase());
      const place = at === -1 ? others.length : at;
      await changePreferences(tx, actor, { searchOrder: others.toSpliced(place, 0, row.id) });
    },
  }),

  /** The person has looked at everything in it that was posted until then; an earlier look says nothing new. */
  'search.look': defineMutation({
    on: 'searches',
    args: z.object({ id, until: instant }),
    allow: isOwn,
    already: async (_tx, { args, row }) =>
      row.removedAt !== null || (row.lookedUntil !== null && row.lookedUntil >= sameInstant(args.until)),
    apply: (tx, { args, row }) => tx.searches.update(row.id, { lookedUntil: sameInstant(args.until) }),
  }),

  'search.remove': defineMutation({
    on: 'searches',
    args: z.object({ id }),
    allow: isOwn,
    already: async (_tx, { row }) => row.removedAt !== null,
    apply: async (tx, { actor, row, now }) => {
      await tx.searches.update(row.id, { ...emptied, removedAt: now });
      const { searchOrder } = await preferencesOf(tx, actor);
      await changePreferences(tx, actor, { searchOrder: searchOrder.filter((other) => other !== row.id) });
    },
  }),
};
