import { describe, expect, it } from 'vitest';
import { dropAllLastTyped, dropLastTyped, keepLastTyped, readLastTyped } from './last-typed-draft.ts';

function textStore() {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
    key: (at: number) => [...texts.keys()][at] ?? null,
    get length() {
      return texts.size;
    },
  };
}

describe('what was typed last', () => {
  it('comes back to its form and its person, until it is dropped', () => {
    const store = textStore();
    expect(keepLastTyped(store, 'aroha', 'post-job', { title: 'Gate' })).toBe(true);
    expect(readLastTyped(store, 'aroha', 'post-job')).toEqual({ title: 'Gate' });
    expect(readLastTyped(store, 'aroha', 'edit-job/1')).toBeUndefined();
    expect(readLastTyped(store, 'wiremu', 'post-job')).toBeUndefined();
    dropLastTyped(store, 'aroha', 'post-job');
    expect(readLastTyped(store, 'aroha', 'post-job')).toBeUndefined();
  });

  it('is dropped with its person, all of it and no other person’s', () => {
    const store = textStore();
    for (const key of ['post-job', 'edit-job/1']) keepLastTyped(store, 'aroha', key, 'mine');
    keepLastTyped(store, 'wiremu', 'post-job', 'his');
    dropAllLastTyped(store, 'aroha');
    expect([...store.texts.values()]).toEqual(['"his"']);
  });

  it('is undefined where the browser keeps nothing, or the text does not parse', () => {
    const store = textStore();
    store.setItem('dwang-typed:aroha:post-job', 'not json');
    expect(readLastTyped(store, 'aroha', 'post-job')).toBeUndefined();
    const fail = (): never => {
      throw new DOMException('No room', 'QuotaExceededError');
    };
    const forbidding = { ...textStore(), getItem: fail, setItem: fail, removeItem: fail };
    expect(keepLastTyped(forbidding, 'aroha', 'post-job', 'x')).toBe(false);
    expect(readLastTyped(forbidding, 'aroha', 'post-job')).toBeUndefined();
    dropLastTyped(forbidding, 'aroha', 'post-job');
  });
});
