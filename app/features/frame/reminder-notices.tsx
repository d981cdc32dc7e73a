import { useEffect, useRef } from 'react';
import { useApp, type SessionContext } from '../../context/app-context.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { useDueReminders } from '../../hooks/use-due-reminders.ts';
import { useShownPath } from '../../hooks/use-shown-path.ts';
import { browserReminderPorts, hideReminder, showReminder } from '../../pwa/show-reminder.ts';
import styles from './app-notices.module.css';

const loadReminder = () => import('../../parts/due-reminder.tsx');
const maxShown = 2;

/** What the person asked this device to remind them of: on every page; on the dashboard it is among the news. */
export function ReminderNotices({ context }: { readonly context: SessionContext }) {
  const due = useDueReminders(context);
  const pathname = useShownPath();
  useDeviceReminders(due);
  const { log } = useApp();
  const part = useDeferredImport(due.length > 0, loadReminder, (error) => log('reminder', String(error)));
  if (pathname === '/dashboard' || part === undefined) return null;
  return (
    <div className={styles.notices}>
      {due
        .filter(({ jobId }) => pathname !== `/job/${jobId}`)
        .slice(0, maxShown)
        .map((mark) => (
          <part.DueReminder key={mark.id} mark={mark} context={context} />
        ))}
    </div>
  );
}

/**
 * While the app is hidden, the device itself shows them, where its person has allowed that. What they see in the app
 * needs no message.
 */
function useDeviceReminders(due: ReturnType<typeof useDueReminders>): void {
  const { log } = useApp();
  const told = useRef(new Set<string>());
  useEffect(() => {
    const ports = browserReminderPorts();
    const failed = (error: unknown) => log('reminder', error instanceof Error ? error.name : String(error));
    const now = new Map(due.map((mark) => [`${mark.id} ${mark.remindAt}`, mark]));
    for (const [key, mark] of now) {
      if (told.current.has(key)) continue;
      told.current.add(key);
      if (document.visibilityState === 'hidden') showReminder(mark, ports).catch(failed);
    }
    for (const key of told.current) {
      if (now.has(key)) continue;
      told.current.delete(key);
      hideReminder(key.slice(0, key.indexOf(' ')), ports).catch(failed);
    }
  }, [due, log]);
  // The person has left, or another is here: nothing of theirs stays on the screen.
  useEffect(() => {
    const shown = told.current;
    return () => {
      const ports = browserReminderPorts();
      for (const key of shown)
        hideReminder(key.slice(0, key.indexOf(' ')), ports).catch((error: unknown) => log('reminder', String(error)));
    };
  }, [log]);
}
