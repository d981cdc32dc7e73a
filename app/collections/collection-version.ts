/** A collection version as it is stored beside rows: zero-padded, so that text order is number order. */
export function padVersion(version: string): string {
  return version.padStart(20, '0');
}

export function isNewer(version: string, than: string): boolean {
  return padVersion(version) > padVersion(than);
}
