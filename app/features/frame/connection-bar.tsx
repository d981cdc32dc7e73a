import { useShell, useAuthState } from '../../app-context.ts';
import { useWatched } from '../../lib/watched.ts';
import { StateBar } from '../../ui/state-bar.tsx';
import { lineWords } from './line-words.ts';
import type { MemberFrame } from './member-frame.ts';

/** "Offline. Showing jobs from 10:42 am. 2 changes waiting." */
export function ConnectionBar({ frame }: { readonly frame: MemberFrame | undefined }) {
  const { line } = useShell();
  const authState = useAuthState();
  const { kind } = useWatched(line);
  if (authState.kind === 'signed-in' && frame !== undefined) return <frame.MemberBar kind={kind} context={authState.context} />;
  return <StateBar kind={kind}>{lineWords[kind]}</StateBar>;
}
