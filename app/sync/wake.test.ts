import { expect, test } from 'vitest';
import { listenForWakes } from './wake.ts';

test('C8: back online, back on the screen, back out of the cache; and silent once stopped', () => {
  const [page, document] = [new EventTarget(), new EventTarget()];
  let isVisible = false;
  const heard: string[] = [];
  const stop = listenForWakes({ page, document, isVisible: () => isVisible }, (reason) => heard.push(reason));
  const all = () => {
    page.dispatchEvent(new Event('online'));
    page.dispatchEvent(new Event('pageshow'));
    document.dispatchEvent(new Event('visibilitychange'));
  };
  all();
  expect(heard).toEqual(['online', 'pageshow']);
  isVisible = true;
  all();
  expect(heard).toEqual(['online', 'pageshow', 'online', 'pageshow', 'visible']);
  stop();
  all();
  expect(heard).toHaveLength(5);
});

test('C9: a worker, which has no document, hears what its own scope tells', () => {
  const page = new EventTarget();
  const heard: string[] = [];
  const stop = listenForWakes({ page, isVisible: () => true }, (reason) => heard.push(reason));
  page.dispatchEvent(new Event('online'));
  stop();
  page.dispatchEvent(new Event('online'));
  expect(heard).toEqual(['online']);
});
