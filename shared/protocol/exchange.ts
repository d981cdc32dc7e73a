import * as z from 'zod/mini';
import { privateTableNames, privateTables, tables, type PrivateTableName, type RowOf } from '../tables/index.ts';
import {
  collectionColumns,
  collectionNames,
  collections,
  type CollectionName,
  type CollectionRow,
} from '../tables/collections.ts';
import { manifestSchema } from './segment.ts';

/*
 * One exchange, `POST /api/sync`: the waiting mutations go up; what became of each, and every row that changed for this
 * person since their cookie, come down in the same answer (rules P1-P9 of SPEC.md).
 *
 * A client that meets anything that does not parse as one of these answers treats it as a network error: nothing is
 * written.
 */

/** Most mutations in one request, and most bytes of its decompressed body (P2). */
export const maxMutations = 500;
export const maxRequestBytes = 512 * 1024;
/**
 * Most changed rows in one answer; more follow on the next page (P3). A full request of interests changes two rows each
 * and the tradie's own: with a page less than that, every drain of a full outbox would take a second request.
 */
export const pageSize = 2 * maxMutations + 100;
/** Most timelines in one request. */
export const maxTimelines = 20;
/** Most regions in one request. */
export const maxRegions = 200;

const uid = z.uuid();
const versionSchema = z.string().check(z.regex(/^\d{1,18}$/));
const timelineSchema = z.string().check(z.maxLength(60));

/** One value for each collection, or none. */
function byCollection<Type extends z.ZodMiniType>(type: Type) {
  return z.object(
    Object.fromEntries(collectionNames.map((name) => [name, z.optional(type)])) as Record<
      CollectionName,
      z.ZodMiniOptional<Type>
    >,
  );
}
const instant = z.iso.datetime();

export const sentMutationSchema = z.object({
  uid,
  name: z.string().check(z.maxLength(60)),
  args: z.unknown(),
  /** When the person tapped, by the device's clock. Kept for support; never trusted. */
  at: instant,
  /**
   * Of an earlier timeline: the one it was made in, and the version at which the device was told that it is applied; no
   * version where it was not. What it depends on may still be missing (S13). `fileGone`: not the file that it names,
   * which has left the device that made it.
   * `rebuilt`: its args are not those that it may have been sent with before, as what it was built on is lost.
   */
  from: z.optional(
    z.object({
      timeline: timelineSchema,
      version: z.optional(versionSchema),
      fileGone: z.optional(z.literal(true)),
      rebuilt: z.optional(z.literal(true)),
    }),
  ),
});

export const exchangeRequestSchema = z.object({
  protocol: z.int(),
  schema: z.int(),
  /** What the device knows of mutations (version.ts); absent from phones older than this. */
  mutationsVersion: z.optional(z.int()),
  /**
   * The person whose database asks. Another person's token is answered `otherPerson` (S9). Older phones do not send it;
   * their cookie names them.
   */
  userId: z.optional(z.uuid()),
  /** Opaque; null asks for everything. */
  cookie: z.nullable(z.string().check(z.maxLength(1_000))),
  /** The version this device has of each collection it wants: null for none yet, absent for not wanted now. */
  shelves: byCollection(z.nullable(z.string().check(z.maxLength(40)))),
  /**
   * The timeline each of those versions is of, as the answer that brought it said (S5). Phones of before leave it out.
   */
  timelines: z.optional(byCollection(timelineSchema)),
  /**
   * Of a feed that is too large to be held whole. With a version: the regions that the device holds, as the manifest
   * named them; none, where it holds all. Without one: those that it wants besides the person's own. Phones of before
   * leave it out, and hold all.
   */
  regions: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(maxRegions))),
  mutations: z.array(sentMutationSchema).check(z.maxLength(maxMutations)),
  /** Mutations sent before whose outcome this device does not have. */
  awaiting: z.array(uid).check(z.maxLength(maxMutations)),
  /** The timelines of what the device keeps in its journal (S13). Phones without one leave it out. */
  journal: z.optional(z.array(timelineSchema).check(z.maxLength(maxTimelines))),
  /**
   * While everything is loaded anew after a restore: the cookie of what the device still holds from before it (S13).
   */
  held: z.optional(z.string().check(z.maxLength(1_000))),
});

/** What a device with a journal is told (S13). */
export const journalAnswerSchema = z.object({
  /** Where the rows of this answer are; of a reset, where the database is. */
  timeline: timelineSchema,
  version: versionSchema,
  /**
   * Of earlier timelines that were asked for: what was applied below this version is known here. Those that are not
   * named are unknown.
   */
  known: z.record(timelineSchema, versionSchema),
  /**
   * What was applied in `timeline` below this version outlives the loss of the database; absent where nothing is known
   * to.
   */
  safe: z.optional(versionSchema),
});

export const outcomeSchema = z.object({
  uid,
  status: z.enum(['applied', 'refused', 'parked']),
  code: z.optional(z.string()),
  message: z.optional(z.string()),
  fields: z.optional(z.record(z.string(), z.string())),
});

const putsSchema = z.object(
  Object.fromEntries(
    privateTableNames.map((name) => [name, z.optional(z.array(privateTables[name].row as z.ZodMiniType))]),
  ),
) as unknown as z.ZodMiniType<{ [Name in PrivateTableName]?: RowOf<Name>[] }>;

const removesSchema = z.object(
  Object.fromEntries(privateTableNames.map((name) => [name, z.optional(z.array(z.string()))])),
) as unknown as z.ZodMiniType<{ [Name in PrivateTableName]?: string[] }>;

/** What a collection's rows look like on the wire: its table's row, only the collection's columns. */
export function collectionRowSchema<Name extends CollectionName>(name: Name): z.ZodMiniType<CollectionRow<Name>> {
  const mask = Object.fromEntries(collectionColumns(name).map((column) => [column, true as const]));
  return z.pick(tables[collections[name].table].row as unknown as z.ZodMiniObject, mask) as unknown as z.ZodMiniType<
    CollectionRow<Name>
  >;
}

function collectionAnswerSchema<Name extends CollectionName>(name: Name) {
  return z.union([
    /** What changed since the asked version. */
    z.object({
      puts: z.array(collectionRowSchema(name)),
      removes: z.array(z.string()),
      version: z.string(),
      timeline: z.optional(z.string()),
    }),
    /** Too old or new here: take the segments, then ask again from the manifest's version. */
    z.object({ manifest: manifestSchema }),
    /** This person may not read it: everything of the collection leaves the device. */
    z.object({ denied: z.literal(true) }),
  ]);
}

export type CollectionAnswer<Name extends CollectionName = CollectionName> = z.output<
  ReturnType<typeof collectionAnswerSchema<Name>>
>;

const collectionAnswersSchema = z.object(
  Object.fromEntries(collectionNames.map((name) => [name, z.optional(collectionAnswerSchema(name))])),
) as unknown as z.ZodMiniType<{ [Name in CollectionName]?: CollectionAnswer<Name> }>;

export const deltaSchema = z.object({
  kind: z.literal('delta'),
  puts: putsSchema,
  removes: removesSchema,
  shelves: collectionAnswersSchema,
  /** Only where `more` is false (P4). */
  outcomes: z.array(outcomeSchema),
  /** The batch stopped before this mutation; it and what follows it were not decided. */
  stopped: z.optional(z.object({ uid, retryAfterMs: z.int() })),
  /**
   * Where `more` is true: those of the request's mutations that are not decided yet. The pages that follow do not await
   * them (P4).
   */
  undecided: z.optional(z.array(uid)),
  /**
   * Sent with the request, and not decided while what they depend on may come back with another device (S13). `code`:
   * what is missing.
   */
  restoring: z.optional(z.array(z.object({ uid, code: z.string() }))),
  journal: z.optional(journalAnswerSchema),
  /**
   * To a request with `held`: the ids of those `puts` that have changed since. Any other is as old as what the device
   * held, or older (S13).
   */
  newer: z.optional(removesSchema),
  cookie: z.string(),
  more: z.boolean(),
  serverTime: instant,
});

/** The cookie is of no use: ask again without one. The outbox stays as it is. */
export const resetSchema = z.object({
  kind: z.literal('reset'),
  reason: z.enum(['lineage', 'view', 'schema', 'too-old', 'ahead', 'unreadable']),
  journal: z.optional(journalAnswerSchema),
});

export const exchangeAnswerSchema = z.discriminatedUnion('kind', [deltaSchema, resetSchema]);

export type SentMutation = z.output<typeof sentMutationSchema>;
export type ExchangeRequest = z.output<typeof exchangeRequestSchema>;
export type Outcome = z.output<typeof outcomeSchema>;
export type JournalAnswer = z.output<typeof journalAnswerSchema>;
export type Delta = z.output<typeof deltaSchema>;
export type Reset = z.output<typeof resetSchema>;
export type ExchangeAnswer = z.output<typeof exchangeAnswerSchema>;
