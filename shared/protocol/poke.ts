/*
 * `GET /api/sync/poke`: Server-Sent Events that say "look again" and never carry data. Losing one costs time, not truth:
 * a visible tab's leader asks every 60 s anyway. A comment line goes out every 25 s so that dead connections show.
 */

/** The event's name. Its data is empty. */
export const pokeEvent = 'poke';
export const pokeHeartbeatMs = 25_000;
