import { expect, test } from 'vitest';
import { listenForWakes } from './wake.ts';

test('C8: wakes when online, offline, visible, or restored from the back/forward cache; silent once stopped', () => {
  const [page, document] = [new EventTarget(), new EventTarget()];
  let isVisible = false;
  const heard: string[] = [];
  const stop = listenForWakes({ page, document, isVisible: () => isVisible }, (reason) => heard.push(reason));
  const all = () => {
    page.dispatchEvent(new Event('online'));
    page.dispatchEvent(new Event('offline'));
    page.dispatchEvent(new Event('pageshow'));
    document.dispatchEvent(new Event('visibilitychange'));
  };
  all();
  expect(heard).toEqual(['online', 'offline', 'pageshow']);
  isVisible = true;
  all();
  expect(heard).toEqual(['online', 'offline', 'pageshow', 'online', 'offline', 'pageshow', 'visible']);
  stop();
  all();
  expect(heard).toHaveLength(7);
});

test('C9: a worker, which has no document, listens to the events of its own scope', () => {
  const page = new EventTarget();
  const heard: string[] = [];
  const stop = listenForWakes({ page, isVisible: () => true }, (reason) => heard.push(reason));
  page.dispatchEvent(new Event('online'));
  stop();
  page.dispatchEvent(new Event('online'));
  expect(heard).toEqual(['online']);
});
