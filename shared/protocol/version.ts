/**
 * The shape of the exchange. Raised only when an old phone could no longer be answered; the server takes the last 180 days' (SPEC S6).
 * 1: the first.
 */
export const protocolVersion = 1;

/**
 * The shape of the rows. Raised when a row gains a column that screens need, so that devices take a fresh snapshot.
 * 1: the first.
 */
export const schemaVersion = 1;
