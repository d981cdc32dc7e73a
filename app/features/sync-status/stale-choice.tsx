import type { ArgsOf, MutationName } from '../../../shared/mutations/index.ts';
import { useSessionContext } from '../../context/app-context.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { StaleVersions } from '../../parts/stale-versions.tsx';
import { useReference } from '../../hooks/use-reference.ts';
import { useTarget } from './use-target.ts';

type StaleChoiceProps = {
  readonly entry: RejectedEntry;
  readonly isBusy: boolean;
  readonly onAct: (work: () => Promise<unknown>) => Promise<void>;
};

/** A rejected edit of fields that were changed elsewhere; the person chooses here. */
export function StaleChoice({ entry, isBusy, onAct }: StaleChoiceProps) {
  const { sync } = useSessionContext();
  const lists = useReference();
  const target = useTarget(entry);
  const edit = useMutation(entry.name, target.state === 'ready' ? target.value : undefined);
  const { set, base } = entry.args as { set: Record<string, unknown>; base: Record<string, unknown> };
  const theirs = Object.fromEntries(
    Object.entries(entry.fields ?? {}).map(([field, text]) => [field, JSON.parse(text) as unknown]),
  );
  // The same edit once more, now with the current values as `base`: this is what choosing one's own means.
  const keepMine = async () => {
    const args = { ...(entry.args as object), base: { ...base, ...theirs } };
    await edit.enqueue(args as ArgsOf<MutationName>, { dropRejected: entry.uid });
  };
  return (
    <StaleVersions
      theirs={theirs}
      mine={set}
      lists={lists}
      isBusy={isBusy || !edit.may}
      onKeepMine={() => void onAct(keepMine)}
      onKeepOther={() => void onAct(() => sync.discard(entry.uid))}
    />
  );
}
