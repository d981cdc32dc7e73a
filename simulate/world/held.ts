import { holdMs, type HeldChange } from '../../app/held/held-changes.ts';
import { heldBegins } from '../../app/sync/mutate.ts';
import type { Job } from '../../shared/tables/index.ts';
import type { ClientGroup } from '../checker/client-group.ts';
import type { Tab } from '../device/device.ts';
import { uidOf } from './held-is-made.ts';
import { quoted, type StepContext } from './step.ts';
import { tap, tellWhyNot } from './tap.ts';
import type { World } from './world.ts';

/*
 * Closing a job, as the app does it: held, and undone in time, in the last moment or too late, from whichever tab is
 * there then; or made by a tab, by one that was opened after the first was killed, or by the worker.
 */

/** A little longer than it is held: what is undone then comes too late. */
const undoneWithin = holdMs + 500;

const groupOf = ({ checker }: World, { device, userId }: Tab): ClientGroup => checker.groupOf(device, userId);

export function closeJob(context: StepContext, tab: Tab, job: Job): string {
  const { world, chance } = context;
  if (tab.isOldApp) {
    // An app of before the change holds nothing.
    tap(context, tab, 'job.close', { id: job.id });
    return `closes ${quoted(job.id)}`;
  }
  const undoAfter = chance.below(3) === 0 ? chance.below(undoneWithin) : undefined;
  tab.held.hold('job.close', { id: job.id }, job.title).then(() => {
    world.counters.count('held: held');
    for (const uid of heldNow(tab, job.id)) groupOf(world, tab).held.set(uid, job.id);
    if (undoAfter !== undefined) world.loop.after(undoAfter, () => undo(world, tab, job.id));
  }, tellWhyNot(world));
  return `closes ${quoted(job.id)}, held${undoAfter === undefined ? '' : ` and undone after ${undoAfter} ms`}`;
}

/** Uids under which the closing of a job is held on this disk. */
function heldNow({ device, database }: Pick<Tab, 'device' | 'database'>, jobId: string): string[] {
  const drafts = device.disk.read(database, 'drafts') as readonly { key: string; value: HeldChange }[];
  return drafts.flatMap(({ key, value }) =>
    key.startsWith(heldBegins) && value.args.id === jobId ? [uidOf({ key })] : [],
  );
}

/** In the tab that is looked at now: the one in which it was held may be gone. */
function undo(world: World, { device, userId }: Tab, jobId: string): void {
  const tab = device.tabs.find((one) => one.userId === userId && one.proc.state === 'running');
  const shown = tab?.held.now.current();
  const change = shown?.state === 'ready' ? shown.value.find(({ args }) => args.id === jobId) : undefined;
  if (tab === undefined || change === undefined) return world.counters.count('held: nothing to undo any more');
  const [group, uid] = [groupOf(world, tab), uidOf(change)];
  // It is undone when the disk says so; the history must not lag behind the disk.
  group.dropping.add(uid);
  tab.held.takeBack(change.key).then((isBack) => {
    group.dropping.delete(uid);
    if (isBack) {
      group.held.delete(uid);
      // Where the disk was wiped after it was made, nothing there tells the one from the other.
      if (!group.excused.has(uid)) group.cancelled.add(uid);
    }
    world.counters.count(isBack ? 'held: undone' : 'held: too late to undo');
  }, tellWhyNot(world));
}
