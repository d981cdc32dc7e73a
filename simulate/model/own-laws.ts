import { isOnLists, isStale, type Asked, type Law } from './law.ts';
import type { Mark, Person, Preferences, Search, State } from './state.ts';
import { instant, isId, markTitle, preparedNote, read, searchFields, type Fields } from './valid.ts';

/* What a person notes for themself: no other person sees any of it. */

const [applied, absent] = ['applied', 'not-found'];
const [maxSearches, maxNotes] = [20, 10];

const usualAlerts = {
  pushInterests: true,
  pushJobs: true,
  mailJobs: 'daily',
  quietFrom: 21,
  quietTo: 7,
  alertsPerDay: 10,
};
const isWhole = (from: number, to: number) => (given: unknown) =>
  Number.isInteger(given) && Number(given) >= from && Number(given) <= to;
const isAlert: { readonly [Field in keyof typeof usualAlerts]: (given: unknown) => boolean } = {
  pushInterests: (given) => typeof given === 'boolean',
  pushJobs: (given) => typeof given === 'boolean',
  mailJobs: (given) => ['off', 'daily', 'now'].includes(String(given)),
  quietFrom: isWhole(0, 23),
  quietTo: isWhole(0, 23),
  alertsPerDay: isWhole(1, 100),
};

const preferencesOf = ({ state, person }: Asked): Preferences =>
  state.preferences.get(person.id) ?? {
    id: person.id,
    userId: person.id,
    tellsSeen: true,
    preparedNotes: [],
    searchOrder: [],
    ...usualAlerts,
  };
const prefer = (asked: Asked, changes: Partial<Preferences>): void =>
  void asked.state.preferences.set(asked.person.id, { ...preferencesOf(asked), ...changes });
const ownSearch = ({ state, person, args }: Asked): Search | undefined => {
  const search = state.searches.get(String(args['id']));
  return search?.userId === person.id ? search : undefined;
};
const markOn = (state: State, { id }: Person, jobId: string): Mark | undefined =>
  state.marks.values().find((mark) => mark.userId === id && mark.jobId === jobId);

const maybe = (field: (given: unknown) => unknown, given: unknown) => (given === undefined ? null : field(given));
const isFlag = (given: unknown) => given === undefined || typeof given === 'boolean';
const since = (wanted: unknown, before: string | null, at: string) =>
  wanted === undefined ? before : wanted === true ? (before ?? at) : null;

export const ownLaws: Readonly<Record<string, Law>> = {
  /** A tradie's, on another person's job. What is not said stays; a reminder needs a place on the shortlist. */
  'job.mark': ({ state, person, act, args }) => {
    const [title, asked] = [maybe(markTitle, args['title']), args['remindAt']];
    const remindAt = asked === null ? null : maybe(instant, asked);
    const isValid = isId(args['id']) && isId(args['jobId']) && title !== undefined && remindAt !== undefined;
    if (!isValid || !isFlag(args['hidden']) || !isFlag(args['shortlisted'])) return 'invalid';
    if (person.tradieId === null) return absent;
    const jobId = String(args['jobId']);
    const [job, mark] = [state.jobs.get(jobId), markOn(state, person, jobId)];
    const hiddenAt = since(args['hidden'], mark?.hiddenAt ?? null, act.at);
    const shortlistedAt = since(args['shortlisted'], mark?.shortlistedAt ?? null, act.at);
    const wanted = asked === undefined ? (mark?.remindAt ?? null) : (remindAt as string | null);
    const id = mark?.id ?? String(args['id']);
    const next: Mark = {
      id,
      userId: person.id,
      jobId,
      title: (title as string | null) ?? mark?.title ?? '',
      hiddenAt,
      shortlistedAt,
      remindAt: shortlistedAt === null ? null : wanted,
    };
    if (mark === undefined) {
      if (hiddenAt === null && shortlistedAt === null) return applied;
      if (job === undefined || job.userId === person.id) return absent;
    }
    state.marks.set(id, next);
    return applied;
  },

  /** Twenty at most; the same again is the same search. */
  'search.save': (asked) => {
    const { state, person, act, args } = asked;
    const fields = read(searchFields, args, Object.keys(searchFields));
    const looked = args['lookedUntil'] === null ? null : maybe(instant, args['lookedUntil']);
    if (!isId(args['id']) || fields === undefined || looked === undefined) return 'invalid';
    if (person.tradieId === null) return absent;
    const there = state.searches.get(args['id']);
    if (there !== undefined) return there.userId === person.id ? applied : 'already-exists';
    const { searchOrder } = preferencesOf(asked);
    if (searchOrder.length >= maxSearches) return 'too-many-searches';
    if (!isOnLists(act, fields)) return 'invalid';
    const made = { createdAt: act.at, removedAt: null, lookedUntil: looked as string | null };
    state.searches.set(args['id'], { id: args['id'], userId: person.id, ...fields, ...made });
    prefer(asked, { searchOrder: [...searchOrder, args['id']] });
    return applied;
  },

  'search.edit': (asked) => {
    const { state, act, args } = asked;
    const set = read(searchFields, args['set']);
    if (!isId(args['id']) || set === undefined) return 'invalid';
    const search = ownSearch(asked);
    if (search === undefined || search.removedAt !== null) return absent;
    if (isStale(search as Fields, set, args['base'])) return 'stale';
    if (!isOnLists(act, set)) return 'invalid';
    state.searches.set(search.id, { ...search, ...set });
    return applied;
  },

  'search.move': (asked) => {
    const before = asked.args['before'];
    if (before !== null && !isId(before)) return 'invalid';
    const search = ownSearch(asked);
    if (search === undefined || search.removedAt !== null) return absent;
    const others = preferencesOf(asked).searchOrder.filter((id) => id !== search.id);
    const at = others.indexOf(String(before));
    const cut = at < 0 ? others.length : at;
    prefer(asked, { searchOrder: [...others.slice(0, cut), search.id, ...others.slice(cut)] });
    return applied;
  },

  /** It only ever goes forward. */
  'search.look': (asked) => {
    const until = instant(asked.args['until']);
    if (typeof until !== 'string') return 'invalid';
    const search = ownSearch(asked);
    if (search === undefined) return absent;
    if (search.removedAt === null && (search.lookedUntil === null || search.lookedUntil < until))
      asked.state.searches.set(search.id, { ...search, lookedUntil: until });
    return applied;
  },

  /** Nothing of what was looked for stays. */
  'search.remove': (asked) => {
    const search = ownSearch(asked);
    if (search === undefined) return absent;
    if (search.removedAt !== null) return applied;
    const nothing = { name: '', words: '', categoryIds: [], urgencies: [] };
    const unsaid = { region: null, locationId: null, withinKm: null, maxBudget: null, lookedUntil: null };
    asked.state.searches.set(search.id, { ...search, ...nothing, ...unsaid, removedAt: asked.act.at });
    prefer(asked, { searchOrder: preferencesOf(asked).searchOrder.filter((id) => id !== search.id) });
    return applied;
  },

  /** A tradie's texts, ten at most, each once. */
  'note.prepare': (asked) => {
    const { person, args, state } = asked;
    const [add, remove] = [maybe(preparedNote, args['add']), maybe(preparedNote, args['remove'])];
    if (!isId(args['id']) || add === undefined || remove === undefined) return 'invalid';
    if (args['id'] !== person.id || !state.users.has(person.id) || person.tradieId === null) return absent;
    const before = preferencesOf(asked).preparedNotes;
    const left = before.filter((text) => text !== remove && text !== add);
    const place = before.indexOf(String(remove));
    const cut = remove === null || place < 0 ? left.length : Math.min(place, left.length);
    const preparedNotes = add === null ? left : [...left.slice(0, cut), String(add), ...left.slice(cut)];
    if (preparedNotes.length > maxNotes) return 'too-many-notes';
    prefer(asked, { preparedNotes });
    return applied;
  },

  'alerts.choose': (asked) => {
    const { person, args, state } = asked;
    const set = args['choice'] as Fields | null | undefined;
    if (!isId(args['id']) || typeof set !== 'object' || set === null) return 'invalid';
    const named = (Object.keys(isAlert) as (keyof typeof isAlert)[]).filter((field) => set[field] !== undefined);
    if (!named.every((field) => isAlert[field](set[field]))) return 'invalid';
    if (args['id'] !== person.id || !state.users.has(person.id)) return absent;
    prefer(asked, Object.fromEntries(named.map((field) => [field, set[field]])));
    return applied;
  },

  'seen.tell': (asked) => {
    const { person, args, state } = asked;
    if (!isId(args['id']) || typeof args['tells'] !== 'boolean') return 'invalid';
    if (args['id'] !== person.id || !state.users.has(person.id)) return absent;
    prefer(asked, { tellsSeen: args['tells'] });
    return applied;
  },
};
