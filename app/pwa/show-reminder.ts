export interface ReminderPorts {
  /** The browser's permission as it is: it does not ask. Undefined where it shows no notifications. */
  readonly permission: NotificationPermission | undefined;
  readonly registration: () => Promise<ServiceWorkerRegistration | undefined>;
}

export const browserReminderPorts = (): ReminderPorts => ({
  permission: 'Notification' in window ? Notification.permission : undefined,
  registration: async () => ('serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined),
});

const tagOf = (id: string) => `dwang-reminder-${id}`;

interface Shown {
  /** The mark's. */
  readonly id: string;
  readonly title: string;
  readonly jobId: string;
}

/**
 * Shows it as the device shows its messages, where that was allowed before; a tap opens the job. True where it was
 * shown.
 */
export async function showReminder({ id, title, jobId }: Shown, ports: ReminderPorts): Promise<boolean> {
  if (ports.permission !== 'granted') return false;
  const registration = await ports.registration();
  if (registration === undefined) return false;
  await registration.showNotification('Saved for later', {
    body: title,
    tag: tagOf(id),
    lang: 'en-NZ',
    icon: '/icon-192.png',
    data: { navigate: `/job/${jobId}` },
  });
  return true;
}

/** Takes it from the device's messages: it was dealt with, or its person has left. */
export async function hideReminder(id: string, ports: ReminderPorts): Promise<void> {
  if (ports.permission !== 'granted') return;
  const shown = await (await ports.registration())?.getNotifications({ tag: tagOf(id) });
  for (const notification of shown ?? []) notification.close();
}
