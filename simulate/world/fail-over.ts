import type { SeededRandom } from '../../shared/testing/random-source.ts';
import { steps } from './step.ts';
import type { World } from './world.ts';

/** A server that knows of no promotion, and whose address leads to the old primary. */
function startOnOld({ cluster, backend, counters }: World, chance: SeededRandom, seconds: number): void {
  const running = cluster.running();
  if (running.length > 0) cluster.kill(chance.pick(running));
  backend.misleadNext(seconds * 1_000);
  cluster.start();
  counters.count('fault: a server is started on the old primary');
}

/** A standby takes the place of its primary, and the primary comes back. */
export const failOver = steps({
  'promotes a standby': {
    weight: 1,
    act: async ({ world, chance }) => {
      const behind = chance.below(3) === 0 ? 0 : chance.below(15);
      world.backend.promote(behind);
      world.checker.databaseRestored();
      world.counters.count(behind === 0 ? 'fault: standby promoted' : 'fault: lagging standby promoted');
      const isSplit = chance.below(2) === 0;
      if (isSplit) startOnOld(world, chance, 5 + chance.below(180));
      return `a standby is promoted that is ${behind} versions behind${isSplit ? ', and a server is started on the old primary' : ''}`;
    },
  },
  // Its servers have seen the new timeline, or hear of it from the first phone that has.
  'leads back to the old primary': {
    weight: 2,
    act: async ({ world, chance }) => {
      const running = world.cluster.running();
      if (!world.backend.hasFormer() || running.length === 0) return undefined;
      const seconds = 5 + chance.below(180);
      if (chance.below(2) === 0) {
        world.backend.mislead(chance.pick(running).proc, seconds * 1_000);
        world.counters.count('fault: a server’s address leads back to the old primary');
        return `a server’s address leads to the old primary for ${seconds} s`;
      }
      startOnOld(world, chance, seconds);
      return `a server is started whose address leads to the old primary for ${seconds} s`;
    },
  },
});
