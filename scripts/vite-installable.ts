import type { Plugin } from 'vite';
import { pathOf } from '../shared/routes.ts';
import { VitePWA, type ManifestOptions } from 'vite-plugin-pwa';

const icon = (src: string, size: number, purpose: 'any' | 'maskable' = 'any') => ({
  src,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

/** What the home screen shows of the app. An iPhone takes its picture from `app/index.html`. */
export const manifest = {
  id: '/',
  name: 'Dwang',
  short_name: 'Dwang',
  description: 'Post a job for free and hear from NZBN verified tradies near you. Works without signal.',
  lang: 'en-NZ',
  dir: 'ltr',
  start_url: pathOf('/dashboard'),
  scope: '/',
  display: 'standalone',
  // A manifest has one colour of each: the bar and the ground of theme.css, light.
  theme_color: '#122019',
  background_color: '#f1f4ef',
  categories: ['business', 'productivity'],
  icons: [icon('/icon-192.png', 192), icon('/icon-512.png', 512), icon('/maskable-512.png', 512, 'maskable')],
  shortcuts: [
    { name: 'Post a job', url: pathOf('/post-job'), icons: [icon('/icon-192.png', 192)] },
    { name: 'Find jobs', url: pathOf('/find-jobs'), icons: [icon('/icon-192.png', 192)] },
  ],
} satisfies Partial<ManifestOptions>;

/**
 * The map's outline comes when the map is first opened, and is kept then (`app/features/jobs/outline.ts`): most people
 * never open it. The page of parts, signing in and renewing a session need a signal.
 */
const notKept = ['dev-ui-route-', 'auth-client-', 'nz-'];

/** Whether the service worker keeps a script or a style sheet of this name. */
export const isKept = (name: string) => !notKept.some((start) => name.startsWith(start));

/**
 * What makes the app installable, and its own service worker (`app/service-worker.ts`) with every file of the build to
 * keep. Registration is the app's affair (`app/pwa/app-update.ts`): nothing is put into the page.
 */
export function installable(): Plugin[] {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: '.',
    filename: 'service-worker.ts',
    injectRegister: false,
    injectManifest: {
      // The operating system fetches the icons, and two documents are for first visits, before anything is cached.
      globPatterns: ['**/*.{js,css,html,svg,woff2}', 'assets/precache-*.json'],
      globIgnores: ['service-worker.js', ...notKept.map((start) => `**/${start}*`), 'find-tradies.html', 'tradie.html'],
      maximumFileSizeToCacheInBytes: 4 * 1024 * 1024,
      rollupFormat: 'iife',
    },
    manifest,
  });
}
