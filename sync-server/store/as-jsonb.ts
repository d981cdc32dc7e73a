/**
 * JSON that jsonb takes: a rejection may repeat what was sent, and PostgreSQL holds neither NUL nor half a character.
 */
export const asJsonb = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\u0000', '\ufffd') : part,
  );
