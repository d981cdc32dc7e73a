/** The version of the provider's API whose shapes are spoken here: the one the SDK sends. */
export const embeddedVersion = '2026-10-28.endive';
