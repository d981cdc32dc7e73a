import { createCell, type Watched } from '../lib/cell.ts';

/** `button`: the browser can install on a tap. `ios`: the person must be told how, "Share > Add to Home Screen". */
export type InstallState = 'none' | 'button' | 'ios';

export interface InstallOffer {
  readonly state: Watched<InstallState>;
  /** Called at the first interest sent or the subscription's success: only from here on is anything offered. */
  enable(): void;
  /** The tap on the button. True where the person installed. */
  install(): Promise<boolean>;
  /** "Not now", remembered. */
  dismiss(): void;
}

/** The platform's event, which its types do not know. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

export interface InstallPorts {
  /** `earlyOffer`: the platform's event that came before the app was loaded (`public/here.js`). */
  page: Pick<EventTarget, 'addEventListener'> & { readonly earlyOffer?: Event };
  isInstalled(): boolean;
  /** A browser of an iPhone or iPad (`home-screen.ts`), where there is no event and no button. */
  hasHomeScreen: boolean;
  memory: Pick<Storage, 'getItem' | 'setItem'>;
}

const dismissedKey = 'dwang-install-dismissed';

/** Holds the browser's own prompt back until installing is worth something to the person. */
export function createInstallOffer({ page, isInstalled, hasHomeScreen, memory }: InstallPorts): InstallOffer {
  const state = createCell<InstallState>('none');
  let prompt = page.earlyOffer as InstallEvent | undefined;
  let isEnabled = false;

  function decide(): void {
    const isUnwanted = !isEnabled || isInstalled() || memory.getItem(dismissedKey) !== null;
    state.set(isUnwanted ? 'none' : prompt !== undefined ? 'button' : hasHomeScreen ? 'ios' : 'none');
  }

  page.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    prompt = event as InstallEvent;
    decide();
  });
  page.addEventListener('appinstalled', () => {
    prompt = undefined;
    decide();
  });

  return {
    state,
    enable: () => {
      isEnabled = true;
      decide();
    },
    install: async () => {
      const asking = prompt;
      prompt = undefined;
      state.set('none');
      if (asking === undefined) return false;
      await asking.prompt();
      const { outcome } = await asking.userChoice;
      if (outcome === 'dismissed') memory.setItem(dismissedKey, 'yes');
      return outcome === 'accepted';
    },
    dismiss: () => {
      memory.setItem(dismissedKey, 'yes');
      decide();
    },
  };
}
