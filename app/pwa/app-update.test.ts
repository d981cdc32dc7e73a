import { expect, test } from 'vitest';
import { createAppUpdate, type UpdatePorts } from './app-update.ts';

const quiet = Promise.resolve();

function openUpdate(changes: Partial<UpdatePorts> = {}) {
  const listeners = new Map<
    string,
    (event: { isUpdate?: boolean; isExternal?: boolean; wasWaitingBeforeRegister?: boolean }) => void
  >();
  const done: string[] = [];
  const worker: UpdatePorts['worker'] = {
    addEventListener: (type, listener) => void listeners.set(type, listener),
    register: async () => void done.push('register'),
    update: () => Promise.reject(new Error('no signal')),
    messageSkipWaiting: () => void done.push('skip-waiting'),
  };
  const update = createAppUpdate({
    worker,
    quiet: new Promise(() => undefined),
    reload: () => void done.push('reload'),
    log: () => undefined,
    ...changes,
  });
  return { update, done, tell: (type: string, event = {}) => listeners.get(type)?.(event) };
}

test('a new version waits for the person’s tap, then takes over and reloads', () => {
  const { update, done, tell } = openUpdate();
  tell('waiting', { isUpdate: true });
  expect([update.state.current(), done]).toEqual(['ready', []]);
  update.accept();
  expect(done).toEqual(['skip-waiting']);
  tell('controlling', { isUpdate: true });
  expect(done).toEqual(['skip-waiting', 'reload']);
});

test('the worker is registered when the page is quiet, and not before', async () => {
  let becomeQuiet = () => undefined as void;
  const { done } = openUpdate({ quiet: new Promise((resolve) => (becomeQuiet = resolve)) });
  await quiet;
  expect(done).toEqual([]);
  becomeQuiet();
  await quiet.then(() => undefined);
  expect(done).toEqual(['register']);
});

test('a version that waited already when the app was opened is offered', () => {
  const { update, tell } = openUpdate();
  tell('waiting', { wasWaitingBeforeRegister: true });
  expect(update.state.current()).toBe('ready');
});

test('the first worker of all is no new version, however long it waits, and reloads nothing', () => {
  const { update, done, tell } = openUpdate();
  tell('waiting');
  tell('controlling', { isUpdate: false });
  expect([update.state.current(), done]).toEqual(['none', []]);
});

test('a version that another tab has taken is never forced on a form in this one', () => {
  const { update, done, tell } = openUpdate();
  tell('controlling', { isUpdate: true, isExternal: true });
  expect([update.state.current(), done]).toEqual(['moved-on', []]);
  update.accept();
  expect(done).toEqual(['reload']);
});

test('a browser without service workers has nothing to offer and breaks nothing', () => {
  const update = createAppUpdate({ worker: undefined, quiet, reload: () => undefined, log: () => undefined });
  update.look();
  update.accept();
  expect(update.state.current()).toBe('none');
});
