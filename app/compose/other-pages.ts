import type { OtherPages } from '../context/app-context.ts';

/** Addresses that a server of ours gave: the checkout, the billing portal. */
export const otherPages: OtherPages = {
  goTo: (url) => window.location.assign(url),
  openTab: () => {
    const tab = window.open('', '_blank');
    // The page that opens must not be able to steer this one.
    if (tab !== null) tab.opener = null;
    return {
      goTo: (url) => {
        if (tab === null) window.location.assign(url);
        else tab.location.href = url;
      },
      close: () => tab?.close(),
    };
  },
};
