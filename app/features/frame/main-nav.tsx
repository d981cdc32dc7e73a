import { useAuthState } from '../../context/app-context.ts';
import type { MemberFrame } from './member-frame.ts';
import { VisitorNav } from './visitor-nav.tsx';

type MainNavProps = {
  readonly frame: MemberFrame | undefined;
  readonly onLogOut: () => void;
};

export function MainNav({ frame, onLogOut }: MainNavProps) {
  const authState = useAuthState();
  if (authState.kind === 'signed-in')
    return frame !== undefined && <frame.MemberNav context={authState.context} onLogOut={onLogOut} />;
  return <VisitorNav isUnknown={authState.kind === 'starting'} />;
}
