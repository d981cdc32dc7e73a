import { expect, test } from 'vitest';
import { endOfLastRecord } from './browser-log.ts';

const record = (type: number, length: number) => {
  const bytes = Buffer.alloc(7 + length, 0xaa);
  bytes.writeUInt16LE(length, 4);
  bytes.writeUInt8(type, 6);
  return bytes;
};

test('whole records are counted, half of one is not', () => {
  const two = Buffer.concat([record(1, 100), record(1, 50)]);
  expect(endOfLastRecord(Buffer.alloc(0))).toBe(0);
  expect(endOfLastRecord(two)).toBe(164);
  expect(endOfLastRecord(Buffer.concat([two, record(1, 300).subarray(0, 7)]))).toBe(164);
  expect(endOfLastRecord(Buffer.concat([two, record(1, 300).subarray(0, 200)]))).toBe(164);
  expect(endOfLastRecord(Buffer.concat([two, record(1, 300).subarray(0, 3)]))).toBe(164);
});

test('a record in pieces is whole with its last, and the end of a block is passed over', () => {
  const first = record(2, 32_768 - 7 - 5);
  const padding = Buffer.alloc(5);
  expect(endOfLastRecord(Buffer.concat([first, padding]))).toBe(0);
  expect(endOfLastRecord(Buffer.concat([first, padding, record(3, 10)]))).toBe(0);
  expect(endOfLastRecord(Buffer.concat([first, padding, record(4, 10)]))).toBe(32_768 + 17);
});
