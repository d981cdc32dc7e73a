/* Runs before the first paint. A file, because the content policy takes no script that stands in a page. */
{
  const page = document.documentElement;
  /*
   * From scripts/vite-prerender.ts. `app`: the app's entry, in a document that stands without the app; undefined where
   * the document loads it itself. `later`: the modules to be fetched with it. `used`: the app comes with the first use
   * of the page. From app/worker/with-kept-screen.ts: `entry`, where the page as it was left is to be seen before the
   * app is evaluated.
   */
  const { app, entry, later = '', used } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;

  /*
   * A person is signed in on this device: a document that was written beforehand for all readers keeps its way to sign
   * in out of sight until the app knows (app/compose/detect-lost-person.ts).
   */
  const readMark = () => {
    try {
      return localStorage.getItem('dwang-here');
    } catch {
      // Storage is closed to this page: no person is known here.
      return null;
    }
  };
  let mark = readMark();
  if (mark) {
    page.dataset.here = '';
    // What they have chosen of how it looks (app/lib/person-look.ts).
    [page.dataset.theme, page.dataset.text] = (localStorage.getItem('dwang-look') ?? 'usual usual').split(' ');
  }

  /*
   * A page that the browser has kept for the way back wakes as it was left. Where a person has come or gone since, it
   * is another's, and where it was left while the app was being fetched, that has ended: it is loaded anew, and until
   * then nothing of it is seen. Nothing else of it hears that it is shown again, so that it opens no database
   * (app/db/abort-on-pagehide.ts).
   */
  addEventListener(
    'pagehide',
    () => {
      mark = readMark();
      page.style.visibility = 'hidden';
    },
    true,
  );
  addEventListener(
    'pageshow',
    (event) => {
      if (!event.persisted || (mark === readMark() && !(page.dataset.start && navigator.onLine))) {
        page.style.visibility = '';
        return;
      }
      event.stopImmediatePropagation();
      location.reload();
    },
    true,
  );

  /** @param {string | undefined} src */
  const load = (src) =>
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', crossOrigin: '', src }));

  // The page as it was left fits a window as wide as it was.
  if (page.dataset.kept !== `${innerWidth}`) delete page.dataset.kept;
  if (entry)
    addEventListener('DOMContentLoaded', () => {
      // The app is evaluated once it is painted. A hidden tab paints nothing; and a module is evaluated once.
      if (page.dataset.kept) requestAnimationFrame(() => setTimeout(load, 0, entry));
      setTimeout(load, page.dataset.kept ? 1_000 : 0, entry);
    });

  /*
   * The browser offers to install once, often before the app is here that keeps the offer for its moment
   * (app/pwa/install-offer.ts).
   */
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    Object.assign(window, { earlyOffer: event });
  });

  /* The app could not be fetched; a part that it fetches itself it reports itself (app/main.tsx). */
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement && target.type === 'module') page.dataset.start = 'failed';
    },
    true,
  );

  const whenIdle = globalThis.requestIdleCallback ?? setTimeout;
  // Chromium alone has `connection`.
  const isSparing = () => /** @type {any} */ (navigator).connection?.saveData === true;

  let toFetch = later.split(' ').filter(Boolean);
  const fetchLater = () => {
    for (const name of toFetch) {
      const link = { rel: 'modulepreload', crossOrigin: '', href: `/assets/${name}` };
      document.head.append(Object.assign(document.createElement('link'), link));
    }
    toFetch = [];
  };

  /** Fetches and starts the app; a document that loads it itself has begun. */
  const start = app === undefined ? () => undefined : standWithoutTheApp();

  if (new URLSearchParams(location.search).has('sign-in')) {
    page.dataset.start = 'under-way';
    start();
  }

  /**
   * @param {Event} event
   * @param {string} which
   */
  const linkOf = ({ target }, which = 'a[href^="?sign-in"]') =>
    target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (target.closest(which)) : null;
  document.addEventListener('pointerover', (event) => {
    if (linkOf(event) && !isSparing()) fetchLater();
  });
  // Before the app is there, and here instead of by a navigation, which would throw away what is being fetched. Where
  // that has failed, the link is followed.
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isPlain || event.defaultPrevented) return;
    const link = linkOf(event);
    const more = linkOf(event, 'a[data-more]');
    const waits = link ?? more;
    // What was asked for stays in the address, which "Try again" is followed by.
    const isFailed = page.dataset.start === 'failed';
    if (linkOf(event, 'a[href=""]') || (isFailed && waits?.hash)) {
      event.preventDefault();
      if (waits) history.replaceState(history.state, '', waits.hash);
      location.reload();
    } else if (waits && !isFailed) {
      event.preventDefault();
      waits.setAttribute('aria-busy', 'true');
      page.dataset.start = 'under-way';
      // The filters of a list stay. A fragment says to the app what was asked for.
      if (link) {
        const query = link.getAttribute('href') + location.search.replace('?', '&');
        history.replaceState(history.state, '', query + location.hash);
      } else if (waits.hash) history.replaceState(history.state, '', waits.hash);
      start();
    }
    const shared = linkOf(event, 'a[data-share]');
    if (shared) void share(event, shared.href);
    if (app && linkOf(event, 'a[data-back]') && document.referrer.startsWith(location.origin) && history.length > 1) {
      event.preventDefault();
      history.back();
    }
  });

  /**
   * As app/parts/share-button.tsx.
   *
   * @param {Event} event
   * @param {string} url
   */
  async function share(event, url) {
    event.preventDefault();
    const say = document.querySelector('[data-shared]');
    try {
      await navigator.share({ title: document.title, url });
    } catch (error) {
      // Dismissed by the person: that is an answer. Anything else is a browser that cannot share.
      if (error instanceof Error && error.name === 'AbortError') return;
      const words = /** @type {HTMLElement | null} */ (say)?.dataset.shared ?? '';
      const copied = await navigator.clipboard?.writeText(url).then(
        () => true,
        () => false,
      );
      if (say) say.textContent = copied ? words : url;
    }
  }

  /*
   * The document is complete without the app, or begins without it. It is taken over for a person who is signed in or
   * comes by a mailed link, for one whose data the browser has lost, and for the sign-in dialog.
   */
  function standWithoutTheApp() {
    let isStarted = false;
    const startOnce = () => {
      if (isStarted) return;
      isStarted = true;
      fetchLater();
      if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => load(app));
      else load(app);
    };

    // The cookie: shared/lib/kept-note.ts.
    const clues = document.cookie + location.hash;
    if ('here' in page.dataset || /(dwang-kept|[#&](type|error|error_code|access_token))=/.test(clues)) startOnce();
    // A copy of unsent changes without the mark (app/outbox-backup): the app says what has become of them.
    globalThis.caches?.keys().then(
      (names) => names.some((name) => name.startsWith('dwang-person-spare-')) && startOnce(),
      () => undefined,
    );

    if (used !== undefined) startOnceUsed(startOnce);

    const look = () => page.toggleAttribute('data-offline', !navigator.onLine);
    for (const change of ['online', 'offline']) addEventListener(change, look);
    look();

    // The worker fetches every file of the app, so it waits until the page has had time to show itself; an app that has
    // started sees to it itself.
    const register = () => {
      if (!isStarted) navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined);
    };
    addEventListener('load', () => setTimeout(() => whenIdle(register), 3_000));
    return startOnce;
  }

  /**
   * The app comes with the first tap, key or scroll, and for a reader who stays, who then has the directory without
   * signal as well; at once where more is asked for than stands here, and where the filters have their place beside the
   * list. It is fetched once the page is idle.
   *
   * @param {() => void} startOnce
   */
  function startOnceUsed(startOnce) {
    if (location.search || location.hash || matchMedia('(min-width: 60rem)').matches) {
      // Once it is painted; a hidden tab waits until it is seen.
      requestAnimationFrame(() => setTimeout(startOnce));
      return;
    }
    // A link leads to another document.
    /** @param {Event} event */
    const use = (event) => linkOf(event, 'a[href^="/"]') || startOnce();
    for (const sign of ['pointerdown', 'keydown', 'scroll', 'focusin'])
      addEventListener(sign, use, { passive: true, capture: true });
    if (isSparing()) return;
    addEventListener('load', () => whenIdle(fetchLater));
    setTimeout(() => navigator.onLine && startOnce(), 10_000);
  }
}
