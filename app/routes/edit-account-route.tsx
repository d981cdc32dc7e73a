import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApp } from '../context/app-context.ts';
import { EditAccountPage } from '../features/account-page/edit-account-page.tsx';

export function EditAccountRoute() {
  const { authRedirect } = useApp();
  const router = useRouter();
  const [whyNoLink, setWhyNoLink] = useState<string>();
  // A mailed link to choose a password leads here; one that was used before, or is too old, brings no session.
  useEffect(() => {
    const came = authRedirect.take();
    if (came.kind !== 'failed') return;
    setWhyNoLink(came.message);
    // What the link said is read: a reload is not to say it again.
    void router.navigate({ to: '/edit-account', hash: '', replace: true });
  }, [authRedirect, router]);
  return <EditAccountPage whyNoLink={whyNoLink} />;
}
