import * as z from 'zod/mini';
import { deltaSchema, exchangeRequestSchema } from './exchange.ts';

/*
 * `GET /api/sync/poke`: Server-Sent Events. `poke` says "look again" and carries no data; `change` carries a small
 * answer (P10), and goes only to a device that asked for it with `?changes=1` and names itself (`X-Device-Id`). Losing
 * an event costs time, not truth: a visible tab's leader asks every 60 s anyway. A comment line goes out every 25 s so
 * that dead connections show.
 */

/** The event's name. Its data is empty. */
export const pokeEvent = 'poke';
export const pokeHeartbeatMs = 25_000;

/** Its data is a `CarriedChange`, as one line of JSON. */
export const changeEvent = 'change';
/** A larger answer is fetched by an exchange: rows that changed or left, and characters of the event's data. */
export const maxCarriedRows = 40;
export const maxCarriedLength = 8 * 1024;

/** The answer to a question that the device has not asked (P10): the last page of a delta, without outcomes. */
export const carriedChangeSchema = z.object({
  /** Whom it is for (S9). */
  userId: z.uuid(),
  /** The position that it starts from. A device that stands anywhere else asks. */
  asked: z.pick(exchangeRequestSchema, { cookie: true, shelves: true, timelines: true, regions: true }),
  answer: deltaSchema,
});
export type CarriedChange = z.output<typeof carriedChangeSchema>;
