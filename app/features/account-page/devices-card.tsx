import { useCallback, useEffect, useState } from 'react';
import { useApp } from '../../context/app-context.ts';
import { useFocusKept } from '../../hooks/use-focus-kept.ts';
import { useOfflineReason } from '../../hooks/use-offline-reason.ts';
import type { SignedInDevice } from '../../session/devices.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { DisabledReason } from '../../ui/disabled-reason.tsx';
import { formatAge } from '../../words/dates.ts';
import { errorWords } from '../../words/error-words.ts';
import styles from './edit-account-page.module.css';

const everywhereElse = 'everywhere-else';

/** The devices the person is signed in on, and how to end that: for a phone that was lost or lent. Needs signal. */
export function DevicesCard() {
  const { auth, toasts, now } = useApp();
  const reason = useOfflineReason();
  const { list, problem, read } = useDevices(reason === undefined);
  const [ending, setEnding] = useState<string>();
  useFocusKept(Array.isArray(list) ? list.length : 0);

  const end = async (id: string, title: string, work: () => Promise<void>) => {
    setEnding(id);
    try {
      await work();
      toasts.show({ title });
      await read();
    } catch (error) {
      toasts.show({
        title: 'Error',
        description: errorWords(error, 'Failed to sign out the device'),
        variant: 'destructive',
      });
    } finally {
      setEnding(undefined);
    }
  };
  const hasOthers = list === 'unlisted' || (Array.isArray(list) && list.some(({ isThis }) => !isThis));

  return (
    <Card as="section" labelledBy="devices">
      <h2 id="devices">Where You’re Signed In</h2>
      {problem !== undefined && reason === undefined && (
        <Banner tone="bad" actions={<Button onPress={read}>Try Again</Button>}>
          {problem}
        </Banner>
      )}
      {list === undefined && problem === undefined && reason === undefined && (
        <Spinner size="sm" label="Loading your devices" />
      )}
      {list === 'unlisted' && (
        <p className={styles.note}>Your other devices can’t be listed here. You can sign all of them out at once.</p>
      )}
      {Array.isArray(list) && (
        <ul className={styles.devices}>
          {list.map((device) => (
            <li key={device.id}>
              <div>
                <p className={styles.device}>
                  {nameOf(device)}
                  {device.isThis && (
                    <Badge tone="good" icon="check">
                      This device
                    </Badge>
                  )}
                </p>
                <p className={styles.note}>Last used {formatAge(device.lastUsedAt, now())}</p>
              </div>
              {!device.isThis && (
                <Button
                  isBusy={ending === device.id}
                  isDisabled={reason !== undefined}
                  aria-label={`Sign out ${nameOf(device)}, last used ${formatAge(device.lastUsedAt, now())}`}
                  onPress={() => end(device.id, 'Signed out there', () => auth.devices.end(device.id))}
                >
                  Sign out
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.foot}>
        {hasOthers && (
          <Button
            isBusy={ending === everywhereElse}
            isDisabled={reason !== undefined}
            aria-describedby="devices-why"
            onPress={() => end(everywhereElse, 'Signed out everywhere else', auth.devices.endOthers)}
          >
            Sign out everywhere else
          </Button>
        )}
        <DisabledReason id="devices-why" reason={reason} />
      </div>
    </Card>
  );
}

const nameOf = ({ name }: SignedInDevice) => (name === '' ? 'A browser' : name);

/** The devices as the server has them; read again when there is signal again. */
function useDevices(isReachable: boolean) {
  const { auth } = useApp();
  const [list, setList] = useState<readonly SignedInDevice[] | 'unlisted'>();
  const [problem, setProblem] = useState<string>();
  const read = useCallback(async () => {
    try {
      setList(await auth.devices.list());
      setProblem(undefined);
    } catch (error) {
      setProblem(errorWords(error, 'Failed to load your devices'));
    }
  }, [auth]);
  useEffect(() => {
    if (isReachable) void read();
  }, [isReachable, read]);
  return { list, problem, read };
}
