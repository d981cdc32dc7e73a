import type { Plugin } from 'vite';

/**
 * React Aria ships its spoken words in 34 languages and would load them all. The product speaks one, so the
 * others answer with it: 3 to 6 kB less after brotli.
 */
export function oneLanguage(): Plugin {
  const otherLanguage =
    /\/(?:react-aria|react-stately|react-aria-components)\/.*\/intl\/.*\/(?!en-US\.)[a-z]{2}-[A-Z]{2}\.mjs$/;
  return {
    name: 'dwang:one-language',
    enforce: 'pre',
    load: {
      filter: { id: otherLanguage },
      handler: () => `export { default } from './en-US.mjs';`,
    },
  };
}
