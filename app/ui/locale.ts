/*
 * New Zealand English for every part, whatever the browser speaks, where no build says so
 * (scripts/vite-one-language.ts): in tests and in `npm run dev`. React Aria looks here once, when the first of its
 * modules is loaded.
 */
Object.assign(globalThis, { [Symbol.for('react-aria.i18n.locale')]: 'en-NZ' });
