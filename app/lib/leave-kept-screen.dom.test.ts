import { beforeEach, expect, test } from 'vitest';
import { leaveKeptScreen } from './leave-kept-screen.ts';

const page = document.documentElement;
let kept: HTMLElement;
let root: HTMLElement;
beforeEach(() => {
  page.dataset['kept'] = '390';
  page.dataset['offline'] = '';
  document.body.innerHTML =
    '<div id="kept"><a href="/job/1">Fence</a></div><div id="root"><main><h1>Dwang</h1><span data-waiting></span></main></div>';
  [kept, root] = [...document.body.children] as [HTMLElement, HTMLElement];
  return () => {
    delete page.dataset['kept'];
    delete page.dataset['offline'];
    delete page.dataset['start'];
  };
});
/** Observers are told in a microtask. */
const told = () => new Promise((resolve) => void setTimeout(resolve));

test('the page as it was left stands until the app shows its own, with nothing more to wait for', async () => {
  leaveKeptScreen(kept, root);
  root.innerHTML = '<main><h1>Find Jobs</h1><div data-waiting></div></main>';
  await told();
  expect([kept.isConnected, page.dataset['kept']]).toEqual([true, '390']);
  root.innerHTML = '<main><h1>Find Jobs</h1><a href="/job/1">Fence</a></main>';
  await told();
  expect([kept.isConnected, page.dataset['kept'], page.dataset['offline']]).toEqual([false, undefined, undefined]);
});

test('the link that has the focus has it in the app’s page too', async () => {
  leaveKeptScreen(kept, root);
  kept.querySelector('a')?.focus();
  root.innerHTML = '<main><h1>Find Jobs</h1><a href="/job/1">Fence</a></main>';
  await told();
  expect(root.querySelector('a')).toHaveFocus();
});

test('a page that opens scrolls to its top: the one that is seen stays where it was scrolled to', async () => {
  window.scrollTo(0, 300);
  leaveKeptScreen(kept, root);
  window.scrollTo(0, 0);
  expect(window.scrollY).toBe(300);
  root.innerHTML = '<main><h1>Find Jobs</h1></main>';
  await told();
  expect(window.scrollY).toBe(300);
  window.scrollTo(0, 0);
  expect(window.scrollY).toBe(0);
});

test('where one has not scrolled, the app’s page stands where it is to be, as after a reload', async () => {
  window.scrollTo(0, 0);
  leaveKeptScreen(kept, root);
  window.scrollTo({ top: 900 });
  expect(window.scrollY).toBe(0);
  root.innerHTML = '<main><h1>Find Jobs</h1></main>';
  await told();
  expect(window.scrollY).toBe(900);
});

test('one that is not shown, as in a window of another width, goes at once', () => {
  delete page.dataset['kept'];
  leaveKeptScreen(kept, root);
  expect(kept.isConnected).toBe(false);
});

test('it makes way for what is said where the app cannot be started', async () => {
  leaveKeptScreen(kept, root);
  page.dataset['start'] = 'failed';
  await told();
  expect(kept.isConnected).toBe(false);
});
