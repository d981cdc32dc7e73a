/** Joins class names, leaving out what is absent. CSS module lookups are typed as possibly absent. */
export function cx(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
