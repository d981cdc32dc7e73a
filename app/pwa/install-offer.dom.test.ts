import { beforeEach, expect, test } from 'vitest';
import { createInstallOffer } from './install-offer.ts';

let page: EventTarget;
beforeEach(() => {
  page = new EventTarget();
  localStorage.clear();
});

const open = (changes: { isInstalled?: boolean; hasHomeScreen?: boolean } = {}) =>
  createInstallOffer({
    page,
    isInstalled: () => changes.isInstalled ?? false,
    hasHomeScreen: changes.hasHomeScreen ?? false,
    memory: localStorage,
  });

function browserOffers(outcome: 'accepted' | 'dismissed' = 'accepted'): Event {
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: async () => undefined,
    userChoice: Promise.resolve({ outcome }),
  });
  page.dispatchEvent(event);
  return event;
}

test('the browser’s own prompt is kept until the offer is enabled [§offline]', async () => {
  const offer = open();
  expect(browserOffers().defaultPrevented).toBe(true);
  expect(offer.state.current()).toBe('none');
  offer.enable();
  expect(offer.state.current()).toBe('button');
  expect(await offer.install()).toBe(true);
  expect(offer.state.current()).toBe('none');
});

test('a prompt that the browser offered before the app was loaded is kept until then all the same', async () => {
  const earlyOffer = browserOffers();
  const offer = createInstallOffer({
    page: Object.assign(page, { earlyOffer }),
    isInstalled: () => false,
    hasHomeScreen: false,
    memory: localStorage,
  });
  expect(offer.state.current()).toBe('none');
  offer.enable();
  expect(offer.state.current()).toBe('button');
  expect(await offer.install()).toBe(true);
});

test('a "no" is remembered, to the browser’s prompt and to ours [§offline]', async () => {
  const first = open();
  browserOffers('dismissed');
  first.enable();
  expect(await first.install()).toBe(false);
  const second = open();
  browserOffers();
  second.enable();
  expect(second.state.current()).toBe('none');

  localStorage.clear();
  const third = open();
  browserOffers();
  third.enable();
  third.dismiss();
  expect(third.state.current()).toBe('none');
});

test('on iOS the person is told how; not where it is installed already', () => {
  const ios = open({ hasHomeScreen: true });
  ios.enable();
  expect(ios.state.current()).toBe('ios');
  const installed = open({ hasHomeScreen: true, isInstalled: true });
  installed.enable();
  expect(installed.state.current()).toBe('none');
});
