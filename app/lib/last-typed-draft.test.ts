import { describe, expect, it } from 'vitest';
import {
  dropAllLastTyped,
  dropLastTyped,
  keepLastTyped,
  lastTypedSlot,
  readLastTyped,
  tabSlots,
} from './last-typed-draft.ts';

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

const typed = (value: unknown) => ({ value, typedAt: '2026-01-01T00:00:00.000Z', wasKept: false });

describe('what was typed last', () => {
  it('is read as an earlier version kept it', () => {
    const store = textStore();
    store.setItem('dwang-typed:aroha:note', '"Kia ora"');
    expect(readLastTyped(store, 'aroha', 'note')).toEqual({ value: 'Kia ora', typedAt: undefined, wasKept: false });
  });

  it('is found by the slot it was typed in, and no form of another key has it', () => {
    const store = textStore();
    keepLastTyped(store, 'aroha', 'post-job~b', typed('mine'));
    tabSlots(store, 'aroha').write('note', 'note~c');
    expect(lastTypedSlot(store, 'aroha', 'post-job')).toBe('post-job~b');
    expect(lastTypedSlot(store, 'aroha', 'post')).toBeUndefined();
    expect(lastTypedSlot(store, 'aroha', 'note')).toBeUndefined();
    expect(tabSlots(store, 'aroha').read('note')).toBe('note~c');
    dropAllLastTyped(store, 'aroha');
    expect(store.length).toBe(0);
  });

  it('comes back to its form and its person, until it is dropped', () => {
    const store = textStore();
    expect(keepLastTyped(store, 'aroha', 'post-job', typed({ title: 'Gate' }))).toBe(true);
    expect(readLastTyped(store, 'aroha', 'post-job')).toEqual(typed({ title: 'Gate' }));
    expect(readLastTyped(store, 'aroha', 'edit-job/1')).toBeUndefined();
    expect(readLastTyped(store, 'wiremu', 'post-job')).toBeUndefined();
    dropLastTyped(store, 'aroha', 'post-job');
    expect(readLastTyped(store, 'aroha', 'post-job')).toBeUndefined();
  });

  it('is dropped with its person, all of it and no other person’s', () => {
    const store = textStore();
    for (const key of ['post-job', 'edit-job/1']) keepLastTyped(store, 'aroha', key, typed('mine'));
    keepLastTyped(store, 'wiremu', 'post-job', typed('his'));
    dropAllLastTyped(store, 'aroha');
    expect([...store.texts.keys()]).toEqual(['dwang-typed:wiremu:post-job']);
  });

  it('is undefined where the browser keeps nothing, or the text does not parse', () => {
    const store = textStore();
    store.setItem('dwang-typed:aroha:post-job', 'not json');
    expect(readLastTyped(store, 'aroha', 'post-job')).toBeUndefined();
    const fail = (): never => {
      throw new DOMException('No room', 'QuotaExceededError');
    };
    const forbidding = { ...textStore(), getItem: fail, setItem: fail, removeItem: fail };
    expect(keepLastTyped(forbidding, 'aroha', 'post-job', typed('x'))).toBe(false);
    expect(readLastTyped(forbidding, 'aroha', 'post-job')).toBeUndefined();
    dropLastTyped(forbidding, 'aroha', 'post-job');
  });
});
