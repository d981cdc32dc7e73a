import { expect, test } from 'vitest';
import { createAppUpdate, type UpdatePorts } from './app-update.ts';

const quiet = Promise.resolve();

function openUpdate(changes: Partial<UpdatePorts> = {}) {
  const listeners = new Map<string, () => void>();
  const done: string[] = [];
  let goOn = () => undefined as void;
  const worker: UpdatePorts['worker'] = {
    addEventListener: (type, listener) => void listeners.set(type, listener),
    register: async () => void done.push('register'),
    update: () => Promise.reject(new Error('no signal')),
    messageSkipWaiting: () => void done.push('skip-waiting'),
  };
  const update = createAppUpdate({
    worker,
    isControlled: true,
    quiet: new Promise(() => undefined),
    reload: () => void done.push('reload'),
    later: (go) => (goOn = go),
    isHeld: () => false,
    log: () => undefined,
    ...changes,
  });
  const waitLong = () => {
    const go = goOn;
    goOn = () => undefined;
    go();
  };
  return { update, worker, done, tell: (type: 'waiting' | 'controlling') => listeners.get(type)?.(), waitLong };
}

test('a new version waits for the person’s tap, then takes over and reloads [§offline]', () => {
  const { update, done, tell } = openUpdate();
  tell('waiting');
  expect([update.state.current(), done]).toEqual(['ready', []]);
  update.accept();
  // However often it is pressed.
  update.accept();
  expect([update.state.current(), done]).toEqual(['taken', ['skip-waiting']]);
  tell('controlling');
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

test('an installation that a bad line has cut off is taken up again until the app is on the phone, without a reload [§offline]', async () => {
  const { done, tell, waitLong } = openUpdate({ isControlled: false, quiet });
  await quiet.then(() => undefined);
  expect(done).toEqual(['register']);
  waitLong();
  expect(done).toEqual(['register', 'register']);
  tell('controlling');
  waitLong();
  waitLong();
  expect(done).toEqual(['register', 'register']);
});

test('what is fetched for later waits for the worker, and no longer than it may take, nor for one that cannot be had', async () => {
  const isControlledBy = async (
    end: (opened: ReturnType<typeof openUpdate>) => void,
    changes: Partial<UpdatePorts>,
  ) => {
    const opened = openUpdate({ isControlled: false, quiet, ...changes });
    let isSettled = false;
    void opened.update.whenControlled.then(() => (isSettled = true));
    await new Promise((resolve) => setTimeout(resolve));
    const before = isSettled;
    end(opened);
    await new Promise((resolve) => setTimeout(resolve));
    return [before, isSettled];
  };
  expect(await isControlledBy(() => undefined, {})).toEqual([false, false]);
  expect(await isControlledBy(({ tell }) => tell('controlling'), {})).toEqual([false, true]);
  expect(await isControlledBy(({ waitLong }) => waitLong(), {})).toEqual([false, true]);
  expect(await isControlledBy(() => undefined, { isControlled: true })).toEqual([true, true]);
  expect(await isControlledBy(() => undefined, { worker: undefined })).toEqual([true, true]);
  const refused = { ...openUpdate().worker, register: () => Promise.reject(new Error('not in this mode')) };
  expect(await isControlledBy(() => undefined, { worker: refused })).toEqual([true, true]);
});

test('the first worker of all is no new version, however long it waits and whichever page has registered it, and reloads nothing', () => {
  const { update, done, tell } = openUpdate({ isControlled: false });
  tell('waiting');
  tell('controlling');
  expect([update.state.current(), done]).toEqual(['none', []]);
  // The next one is.
  tell('waiting');
  expect(update.state.current()).toBe('ready');
});

test('a version that another tab has taken is never forced on a form in this one', () => {
  const { update, done, tell } = openUpdate();
  tell('controlling');
  expect([update.state.current(), done]).toEqual(['moved-on', []]);
  update.accept();
  expect(done).toEqual(['reload']);
});

test('a form that was begun since the tap is not reloaded under its person, who is asked again', () => {
  let isHeld = false;
  const { update, done, tell } = openUpdate({ isHeld: () => isHeld });
  tell('waiting');
  update.accept();
  isHeld = true;
  tell('controlling');
  expect([update.state.current(), done]).toEqual(['moved-on', ['skip-waiting']]);
  update.accept();
  expect(done).toEqual(['skip-waiting', 'reload']);
});

test('a browser without service workers has nothing to offer and breaks nothing', () => {
  const update = createAppUpdate({
    worker: undefined,
    isControlled: false,
    quiet,
    reload: () => undefined,
    later: () => undefined,
    isHeld: () => false,
    log: () => undefined,
  });
  update.look();
  update.accept();
  expect(update.state.current()).toBe('none');
});
