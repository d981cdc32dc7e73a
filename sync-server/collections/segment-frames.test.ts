import { brotliCompressSync, zstdDecompressSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { createSegmentFrames } from './segment-frames.ts';

const segment = (hash: string, text: string) => ({
  hash,
  rows: 1,
  bytes: text.length,
  br: brotliCompressSync(text),
  gzip: new Uint8Array(),
});

const mustNotFail = (error: unknown) => expect.unreachable(String(error));

it('makes a frame beside other work, once, and lets the one go that was not asked for longest', async () => {
  const frames = createSegmentFrames(30, mustNotFail);
  const [one, two, three] = [segment('1', 'one'), segment('2', 'two'), segment('3', 'three')];
  expect([frames.of(one), frames.of(two)]).toEqual([undefined, undefined]);
  await vi.waitUntil(() => frames.of(two) !== undefined && frames.of(one) !== undefined, { timeout: 30_000 });
  expect(zstdDecompressSync(frames.of(two)!).toString()).toBe('two');
  expect(zstdDecompressSync(frames.of(one)!).toString()).toBe('one');
  await vi.waitUntil(() => frames.of(three) !== undefined, { timeout: 30_000 });
  expect(frames.of(one)).toBeDefined();
  expect(frames.of(two)).toBeUndefined();
});

it('of a segment that cannot be read makes none, and says so', async () => {
  const onError = vi.fn();
  const frames = createSegmentFrames(30, onError);
  const broken = { ...segment('1', 'one'), br: new Uint8Array([1]) };
  for (let turn = 0; turn < 20; turn += 1) {
    expect(frames.of(broken)).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await vi.waitUntil(() => onError.mock.calls.length > 0, { timeout: 30_000 });
});
