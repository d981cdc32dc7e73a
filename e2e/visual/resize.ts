import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';

export type WindowSize = { readonly width: number; readonly height: number };

/** An answer takes some ms. To ask once more costs nothing: the size is the same. */
const patienceMs = 5_000;
const maxTries = 24;

/**
 * Gives the page's window this size. Chromium was seen to leave the command that sets it unanswered; why is not known.
 * So it is asked again soon, with the page brought to the front: one that is not in front may draw no frame to answer
 * with.
 * @throws Error where it answers none, with whether the page itself still does.
 */
export async function resize(
  page: Pick<Page, 'setViewportSize' | 'bringToFront' | 'evaluate' | 'url'>,
  size: WindowSize,
): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (await isAnswered(page.setViewportSize(size))) return;
    await isAnswered(page.bringToFront());
  }
  const isAlive = await isAnswered(page.evaluate(() => document.readyState));
  throw new Error(
    `The browser does not take a window of ${size.width} by ${size.height} px for ${page.url()}; its script ${isAlive ? 'still answers' : 'does not answer either'}.`,
  );
}

async function isAnswered(asked: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController();
  return Promise.race([
    asked.then(() => true),
    sleep(patienceMs, false, { signal: waiting.signal }).catch(() => false),
  ]).finally(() => waiting.abort());
}
