import { globSync, readFileSync, truncateSync } from 'node:fs';

/*
 * The log in which Chromium keeps a site's IndexedDB, in LevelDB's form: blocks of 32 KiB, records of a 7-byte head
 * (checksum, length, type) and a body, none across a block's end. A kill between head and body leaves half a record;
 * the next start appends behind it, and the start after that calls the whole storage corrupt and deletes it
 * (docs/decisions/0009).
 */

const block = 32_768;
const head = 7;
const full = 1;
const last = 4;

/** Where the last whole record ends, in bytes. */
export function endOfLastRecord(log: Buffer): number {
  let end = 0;
  for (let at = 0; at + head <= log.length;) {
    const left = block - (at % block);
    if (left < head) {
      at += left;
      continue;
    }
    const type = log.readUInt8(at + 6);
    const next = at + head + log.readUInt16LE(at + 4);
    if (next > log.length) break;
    at = next;
    if (type === full || type === last) end = at;
  }
  return end;
}

const logsOf = (profile: string) => globSync(`${profile}/Default/IndexedDB/*.leveldb/*.log`);

/** Removes half a record that a kill has left, as if the browser had died just before it began it. */
export function repairBrowserLog(profile: string): void {
  for (const path of logsOf(profile)) truncateSync(path, endOfLastRecord(readFileSync(path)));
}

/** Removes the last record's last byte: half a record, as a kill in mid-write leaves. */
export function corruptBrowserLog(profile: string): void {
  const paths = logsOf(profile);
  if (paths.length === 0) throw new Error(`No IndexedDB in ${profile}.`);
  for (const path of paths) truncateSync(path, endOfLastRecord(readFileSync(path)) - 1);
}
