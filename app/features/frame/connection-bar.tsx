import { useLobby, useWho } from '../../app-context.ts';
import { useWatched } from '../../lib/watched.ts';
import { StateBar } from '../../ui/state-bar.tsx';
import { lineWords } from './line-words.ts';
import type { MemberFrame } from './member-frame.ts';

/** "Offline. Showing jobs from 10:42 am. 2 changes waiting." */
export function ConnectionBar({ frame }: { readonly frame: MemberFrame | undefined }) {
  const { line } = useLobby();
  const who = useWho();
  const { kind } = useWatched(line);
  if (who.kind === 'signed-in' && frame !== undefined) return <frame.MemberBar kind={kind} context={who.context} />;
  return <StateBar kind={kind}>{lineWords[kind]}</StateBar>;
}
