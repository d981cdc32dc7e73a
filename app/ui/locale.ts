/*
 * New Zealand English for every part, whatever the browser speaks. React Aria looks here once, when the first of its
 * modules is loaded, which is after the first load; its provider would be in it (0.7 kB).
 */
Object.assign(globalThis, { [Symbol.for('react-aria.i18n.locale')]: 'en-NZ' });
