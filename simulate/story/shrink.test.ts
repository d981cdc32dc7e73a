import { beforeAll, describe, expect, test } from 'vitest';
import { shrink, tellStory, type ShortStory } from './shrink.ts';

describe('a failing seed', () => {
  const failing = { seed: 1, steps: 40, plant: '“saved” on request success instead of transaction complete' };
  let story: ShortStory;
  beforeAll(async () => {
    story = await shrink(failing);
  });

  test('is made shorter for as long as the same rule is broken', () => {
    expect(story.ended.violation?.invariant).toBe('C1');
    expect(story.only.length).toBeLessThan(10);
    expect(story.tries).toBeGreaterThan(5);
  });

  test('is printed with the one command that runs it again', () => {
    const told = tellStory(story);
    expect(story.ended.story.length).toBeGreaterThan(0);
    for (const { text } of story.ended.story) expect(told).toContain(text);
    expect(told).toContain(`=> ${story.ended.violation?.message ?? 'nothing'}`);
    expect(told.split('\n').at(-1)).toBe(`npm run simulate -- --seed 1 --steps 40 --only ${story.only.join()} --plant "${failing.plant}"`);
  });

  test('breaks the same rule when that command is given, and none without the defect', async () => {
    const replayed = await shrink({ ...failing, only: story.only });
    expect(replayed.ended.violation).toEqual(story.ended.violation);
    const sound = await shrink({ ...failing, plant: undefined, only: story.only });
    expect(sound.ended.violation).toBeUndefined();
  });
});
