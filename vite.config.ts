import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { installable } from './scripts/vite-installable.ts';
import { oneLanguage } from './scripts/vite-one-language.ts';
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
    // Before precompress, which must see what it writes.
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
  },
  server: { proxy: Object.fromEntries(serverPaths.map((path) => [path, server])) },
});
