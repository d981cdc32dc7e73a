/** `interestCount` to `interest_count`: MikroORM's naming strategy, for SQL written by hand. */
export function columnName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
