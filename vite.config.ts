import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { installable } from './scripts/vite-installable.ts';
import { oneLanguage } from './scripts/vite-one-language.ts';
import { prerendered } from './scripts/vite-prerender.ts';
import { precacheBundle } from './scripts/vite-precache-bundle.ts';
import { precompress } from './scripts/vite-precompress.ts';

const server = `http://localhost:${process.env['PORT'] ?? '8080'}`;
/** What the sync server answers itself; everything else is the app, its own `app/api/*.ts` too. */
const serverPaths = ['^/api/(?![^?]*\\.ts(\\?|$))', '/auth', '/storage', '/health', '/dev/mailbox'];

// oxlint-disable-next-line import/no-default-export -- vite reads the default export
export default defineConfig({
  root: 'app',
  publicDir: '../public',
  plugins: [
    react(),
    oneLanguage(),
    // In this order: each keeps or shrinks what the one before has written.
    prerendered(),
    precacheBundle(),
    installable(),
    precompress(),
  ],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    manifest: true,
    // The content security policy allows no inline script and no data: in styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The name of a shared piece lists all that share it; the entry carries all names.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) => `assets/${name.replace(/[~.].*/, '')}-[hash][extname]`,
        codeSplitting: {
          groups: [
            // What every page needs is one piece of ours and one of libraries: thirty small ones compress badly.
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 3 },
            { name: 'first', tags: ['$initial'], priority: 2 },
            // Needs signal for anything it does, so the service worker does not keep it (vite-installable.ts).
            { name: 'auth-client', test: /auth-js/, priority: 4 },
            // What a session needs on every screen, one piece too: what else shares with it comes apart from it.
            { name: 'session', test: /app\/compose\/open-session-manager\./, priority: 2 },
            // What long lists need, which a first screen has none of: merged with a small part, it would come with it.
            { name: 'virtual-list', test: /@tanstack\/(?:react-)?virtual|use-virtual-list/, priority: 2 },
            // What later pages share: not a file for every small part, each of which weighs on every install.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 1_000, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(serverPaths.map((path) => [path, server])) },
});
