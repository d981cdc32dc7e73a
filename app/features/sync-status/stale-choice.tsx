import type { ArgsOf } from '../../../shared/mutations/index.ts';
import { useHouse } from '../../app-context.ts';
import type { RefusedEntry } from '../../db/person-db.ts';
import { StaleVersions } from '../../lib/stale-versions.tsx';
import { useReference } from '../../lib/use-reference.ts';

type StaleChoiceProps = {
  readonly entry: RefusedEntry;
  readonly isBusy: boolean;
  readonly onAct: (work: () => Promise<unknown>) => Promise<void>;
};

/** A refused edit of which something was changed elsewhere, settled where it waits. */
export function StaleChoice({ entry, isBusy, onAct }: StaleChoiceProps) {
  const { sync } = useHouse();
  const lists = useReference();
  const { set, base } = entry.args as { set: Record<string, unknown>; base: Record<string, unknown> };
  const theirs = Object.fromEntries(Object.entries(entry.fields ?? {}).map(([field, text]) => [field, JSON.parse(text) as unknown]));
  // The same edit once more, now knowing what stands there: this is what choosing one's own means.
  const keepMine = async () => {
    const args = { ...(entry.args as object), base: { ...base, ...theirs } };
    if (entry.name === 'profile.edit') await sync.mutate('profile.edit', args as ArgsOf<'profile.edit'>, { dropRefused: entry.uid });
    else await sync.mutate('job.edit', args as ArgsOf<'job.edit'>, { dropRefused: entry.uid });
  };
  return (
    <StaleVersions
      theirs={theirs}
      mine={set}
      lists={lists}
      isBusy={isBusy}
      onKeepMine={() => void onAct(keepMine)}
      onKeepOther={() => void onAct(() => sync.discard(entry.uid))}
    />
  );
}
