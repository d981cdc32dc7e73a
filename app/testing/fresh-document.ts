import { cleanup } from '@testing-library/react';
import { Dexie } from 'dexie';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach } from 'vitest';

/*
 * One worker runs many files, one after the other, because making a document anew takes longer than most tests: each
 * file begins on a device that nothing was stored on, at the first address, and no test sees what another has rendered.
 */

const device = new IDBFactory();
globalThis.indexedDB = device;
Dexie.dependencies.indexedDB = device;
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, '', '/');
document.title = '';
document.body.replaceChildren();

afterEach(cleanup);
