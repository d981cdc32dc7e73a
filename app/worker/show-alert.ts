import { pushMessage, type PushMessageBody } from '../../shared/protocol/push-message.ts';
import { pathOf } from '../../shared/routes.ts';

export interface AlertPorts {
  registration: Pick<ServiceWorkerRegistration, 'showNotification'>;
  /** Id of the person who is signed in on this device. */
  personHere(): Promise<string | undefined>;
  keepJobs(userId: string, data: PushMessageBody['notification']['data']): Promise<unknown>;
  log(event: string, detail: string): void;
}

/** What a browser must show of a message that is not for who is here: nothing of it. */
const forNobodyHere = { title: 'Dwang', body: 'Sign in to see what is new.', tag: 'dwang', navigate: '/' } as const;

/**
 * Shows an alert, with its jobs kept for opening them without signal. `text`: the decrypted message. Of a message for
 * another person nothing is shown and nothing kept (I17).
 */
export async function showAlert(text: string, { registration, personHere, keepJobs, log }: AlertPorts): Promise<void> {
  const notification = readMessage(text);
  if (notification === undefined) log('alert', 'unreadable');
  const here = await personHere().catch((error: unknown) => log('alert-person', nameOf(error)));
  if (notification === undefined || here !== notification.data.for) return show(registration, forNobodyHere);
  // What cannot be kept is shown all the same: with signal, the app finds it.
  await keepJobs(here, notification.data).catch((error: unknown) => log('alert-unkept', nameOf(error)));
  await show(registration, { ...notification, navigate: new URL(notification.navigate).pathname });
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);

function readMessage(text: string): PushMessageBody['notification'] | undefined {
  try {
    return pushMessage.safeParse(JSON.parse(text)).data?.notification;
  } catch {
    return undefined;
  }
}

interface Shown {
  title: string;
  body: string;
  tag: string;
  /** Path of the page that a tap opens. */
  navigate: string;
}

function show(registration: AlertPorts['registration'], { title, body, tag, navigate }: Shown): Promise<void> {
  return registration.showNotification(title, {
    body,
    tag,
    lang: 'en-NZ',
    icon: '/icon-192.png',
    data: { navigate },
  });
}

/** The page that a tap on the notification opens; `/dashboard` where its data is not ours. */
export function pageOfAlert(data: unknown): string {
  const { navigate } = (data ?? {}) as { navigate?: unknown };
  return typeof navigate === 'string' && /^\/(?!\/)/.test(navigate) ? navigate : pathOf('/dashboard');
}

interface AppWindow {
  focus(): Promise<unknown>;
  navigate(path: string): Promise<unknown>;
}

/** The worker's own, as far as they are needed; a page's types know no `Clients`. */
export interface OpenPorts {
  clients: {
    matchAll(options: { type: 'window' }): Promise<readonly AppWindow[]>;
    openWindow(path: string): Promise<unknown>;
  };
}

/**
 * Opens a page of the app in a window that is there already, where there is one; its address changes without a reload
 * of others.
 */
export async function goToPage(path: string, { clients }: OpenPorts): Promise<void> {
  const [window] = await clients.matchAll({ type: 'window' });
  if (window === undefined) return void (await clients.openWindow(path));
  await window.focus();
  // A page of ours that the worker does not control cannot be navigated.
  await window.navigate(path).catch(() => clients.openWindow(path));
}
