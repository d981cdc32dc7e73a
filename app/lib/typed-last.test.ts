import { describe, expect, it } from 'vitest';
import { dropAllTyped, dropTyped, keepTyped, readTyped } from './typed-last.ts';

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
    expect(keepTyped(store, 'aroha', 'post-job', { title: 'Gate' })).toBe(true);
    expect(readTyped(store, 'aroha', 'post-job')).toEqual({ title: 'Gate' });
    expect(readTyped(store, 'aroha', 'edit-job/1')).toBeUndefined();
    expect(readTyped(store, 'wiremu', 'post-job')).toBeUndefined();
    dropTyped(store, 'aroha', 'post-job');
    expect(readTyped(store, 'aroha', 'post-job')).toBeUndefined();
  });

  it('is dropped with its person, all of it and no other person’s', () => {
    const store = textStore();
    for (const key of ['post-job', 'edit-job/1']) keepTyped(store, 'aroha', key, 'mine');
    keepTyped(store, 'wiremu', 'post-job', 'his');
    dropAllTyped(store, 'aroha');
    expect([...store.texts.values()]).toEqual(['"his"']);
  });

  it('is undefined where the browser keeps nothing, or the text does not parse', () => {
    const store = textStore();
    store.setItem('dwang-typed:aroha:post-job', 'not json');
    expect(readTyped(store, 'aroha', 'post-job')).toBeUndefined();
    const fail = (): never => {
      throw new DOMException('No room', 'QuotaExceededError');
    };
    const forbidding = { ...textStore(), getItem: fail, setItem: fail, removeItem: fail };
    expect(keepTyped(forbidding, 'aroha', 'post-job', 'x')).toBe(false);
    expect(readTyped(forbidding, 'aroha', 'post-job')).toBeUndefined();
    dropTyped(forbidding, 'aroha', 'post-job');
  });
});
