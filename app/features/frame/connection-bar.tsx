import { useApp, useWho, type House, type Line } from '../../app-context.ts';
import { useOnItsWay } from '../../lib/use-on-its-way.ts';
import { waitingOf, shortWaitingWords } from '../../lib/waiting.ts';
import { useWatched } from '../../lib/watched.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { StateBar } from '../../ui/state-bar.tsx';
import { formatMoment } from '../../words/dates.ts';

const openings: Readonly<Record<Line['kind'], string>> = {
  online: '',
  slow: 'Slow connection.',
  offline: 'Offline.',
  unreachable: "Can't reach Dwang.",
};

/** "Offline. Showing jobs from 10:42 am. 2 changes waiting." (product.md section 2). */
export function ConnectionBar() {
  const { line } = useApp();
  const who = useWho();
  const { kind } = useWatched(line);
  return who.kind === 'signed-in' ? <MemberBar kind={kind} house={who.house} /> : <StateBar kind={kind}>{openings[kind]}</StateBar>;
}

function MemberBar({ kind, house }: { readonly kind: Line['kind']; readonly house: House }) {
  const { line, now } = useApp();
  const { lastSynced } = useWatched(line);
  const way = useOnItsWay(house);
  const waiting = way.state === 'ready' ? shortWaitingWords(waitingOf(way.value)) : undefined;
  const parts = [
    openings[kind],
    lastSynced === null || kind === 'slow' ? '' : `Showing jobs from ${formatMoment(lastSynced, now())}.`,
    waiting === undefined ? '' : `${waiting} waiting.`,
  ];
  return (
    <StateBar kind={kind} action={waiting === undefined ? undefined : <LinkButton href="/waiting" variant="plain" aria-label="See what is waiting">See</LinkButton>}>
      {parts.filter(Boolean).join(' ')}
    </StateBar>
  );
}
