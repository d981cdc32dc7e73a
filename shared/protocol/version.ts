/**
 * The shape of the exchange. Raised only when an old phone could no longer be answered; the server takes the last 180
 * days' (SPEC S6). 1: the first. 2: journals, and mutations of an earlier timeline (S13).
 */
export const protocolVersion = 2;

/**
 * The shape of the rows. Raised when a row gains a column that screens need, so that devices fetch a new snapshot.
 * 1: the first. 2: marks, saved searches, preferences; what became of an interest.
 */
export const schemaVersion = 2;

/**
 * What mutations there are, and what each takes. Raised with every mutation and every arg that is new, so that an
 * instance of the server that does not know them yet has them wait, instead of rejecting them or dropping what it does
 * not know. 1: the first, and what is meant by a phone that does not say. 2: marks, saved searches, preferences, seen
 * and notes of an interest. 3: where a prepared note is put back.
 */
export const mutationsVersion = 3;
