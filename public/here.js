/* Runs before the first paint. A file, because the content policy takes no script that stands in a page. */

/* Somebody is signed in on this device: the page that was written beforehand for everybody keeps its way to sign in out of sight
   until the app knows (app/compose/note-who-is-here.ts). */
try {
  if (localStorage.getItem('dwang-here')) document.documentElement.dataset.here = '';
} catch {
  // Storage is closed to this page: nobody is known here.
}

/* A press on a button of such a page before the app has taken it over is kept, and made again then (app/lib/early-press.ts). */
{
  const early = { button: null };
  const keep = (event) => {
    early.button = event.target.closest?.('button') ?? early.button;
  };
  early.stop = () => document.removeEventListener('click', keep, true);
  document.addEventListener('click', keep, true);
  window.earlyPress = early;
}

/* The browser offers to install once, often before the app is here that keeps the offer for its moment (app/pwa/install-offer.ts). */
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  window.earlyOffer = event;
});

/* A page that is seen before its scripts run asks for the last of them once it is seen (scripts/vite-prerender.ts). In a tab that nobody
   looks at nothing is painted; there the app fetches them itself. */
if (globalThis.PerformanceObserver?.supportedEntryTypes?.includes('paint')) {
  new PerformanceObserver((_painted, observer) => {
    observer.disconnect();
    for (const link of document.querySelectorAll('link[data-later]')) {
      link.crossOrigin = '';
      link.rel = 'modulepreload';
      link.href = link.dataset.later;
    }
  }).observe({ type: 'paint', buffered: true });
}
