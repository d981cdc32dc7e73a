import { collectionColumns } from '../../shared/tables/collections.ts';
import type { PushedJob } from '../../shared/protocol/push-message.ts';
import { jobMessage } from '../../sync-server/alerts/push-message.ts';
import { i17Shown } from '../checker/i17-apart.ts';
import { personOn } from '../checker/person-on.ts';
import { endWorker } from '../device/device.ts';
import { deliverPush } from '../device/deliver-push.ts';
import { feedJob } from './people.ts';
import { quoted, type StepContext } from './step.ts';

/** The words that a push message holds of a job, at most: fewer than the job has, so that what was cut shows. */
const letters = 4;

/** One message in so many steps. */
const oneIn = 12;

/**
 * What push services do, beside the steps of the plan: a message comes late, twice, or to a device that another person
 * uses by then, or no person. Undefined where none was sent.
 */
export function tellOfJob(context: StepContext): string | undefined {
  const { world, device, chance } = context;
  if (chance.below(oneIn) > 0) return undefined;
  const job = feedJob(context, false);
  if (job === undefined) return undefined;
  const { wiremu, mere } = world.people;
  const userId = chance.below(3) === 0 ? chance.pick([wiremu, mere]) : device.userId;
  const row = Object.fromEntries(
    collectionColumns('feed').map((column) => [column, job[column as keyof typeof job]]),
  ) as unknown as PushedJob;
  const cut = { ...row, description: `${job.description.slice(0, letters)}…` } as PushedJob;
  const text = jobMessage(
    {
      userId,
      origin: 'https://dwang.example.nz',
      feed: { version: String(world.backend.head()), timeline: world.backend.timeline() },
    },
    [{ row: cut, place: '', version: world.backend.versionOf('jobs', job.id) }],
  );
  const times = 1 + (chance.below(3) === 0 ? 1 : 0);
  if (times > 1) world.counters.count('fault: push twice');
  for (let time = 0; time < times; time += 1) {
    const lateMs = chance.below(3) === 0 ? chance.below(120_000) : chance.below(2_000);
    if (lateMs > 30_000) world.counters.count('fault: push late');
    world.loop.after(lateMs, () => {
      const before = personOn(device);
      if (before === undefined) world.counters.count('fault: push to a signed-out device');
      else if (before !== userId) world.counters.count('fault: push to another person’s device');
      const { proc, done } = deliverPush(device, world.tabWorld, text, (shown) => {
        const violation = i17Shown(device, { shown, title: job.title, userId, here: [before, personOn(device)] });
        if (violation !== undefined) world.checker.accuse(violation);
        world.counters.count(shown.title === job.title ? 'push: shown' : 'push: kept back');
      });
      device.workers.push(proc);
      const end = () => endWorker(device, proc);
      done.then(end, (error: unknown) => {
        world.counters.count(`unforeseen: push ${String(error)}`);
        end();
      });
    });
  }
  return `is told of ${quoted(job.id)}${times > 1 ? ' twice' : ''}`;
}
