import type { Plugin } from 'vite';

/** React Aria's `useDefaultLocale.mjs`, for pages in New Zealand English. */
const locale = `
  const locale = { locale: 'en-NZ', direction: 'ltr' };
  export const getDefaultLocale = () => locale;
  export const useDefaultLocale = () => locale;
`;

/**
 * React Aria ships its spoken words in 34 languages and would load them all. The product speaks one, so the
 * others answer with it: 3 to 6 kB less after brotli. And it asks the browser which language that is when the first of
 * its modules is evaluated, by `Intl.DateTimeFormat.supportedLocalesOf`: 15 ms of a first visit, for what is known.
 */
export function oneLanguage(): Plugin {
  const otherLanguage =
    /\/(?:react-aria|react-stately|react-aria-components)\/.*\/intl\/.*\/(?!en-US\.)[a-z]{2}-[A-Z]{2}\.mjs$/;
  const ownLanguage = /\/react-aria\/dist\/private\/i18n\/useDefaultLocale\.mjs$/;
  return {
    name: 'dwang:one-language',
    enforce: 'pre',
    load: {
      filter: { id: [otherLanguage, ownLanguage] },
      handler: (id) => (ownLanguage.test(id) ? locale : `export { default } from './en-US.mjs';`),
    },
  };
}
