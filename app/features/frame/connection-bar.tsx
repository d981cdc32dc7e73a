import { useApp, useAuthState } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { StateBar } from '../../ui/state-bar.tsx';
import { connectionWords } from './connection-words.ts';
import type { MemberFrame } from './member-frame.ts';

/** "Offline. Showing jobs from 10:42 am. 2 changes waiting." */
export function ConnectionBar({ frame }: { readonly frame: MemberFrame | undefined }) {
  const { connection } = useApp();
  const authState = useAuthState();
  const { kind } = useWatched(connection);
  if (authState.kind === 'signed-in' && frame !== undefined)
    return <frame.MemberBar kind={kind} context={authState.context} />;
  return <StateBar kind={kind}>{connectionWords[kind]}</StateBar>;
}
