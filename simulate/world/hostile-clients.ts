import { exchangeAnswerSchema } from '../../shared/protocol/exchange.ts';
import { createId } from '../../shared/lib/id.ts';
import { Violation } from '../checker/violation.ts';
import { steps, type StepContext } from './step.ts';
import { locations } from './geography.ts';
import { categories, epochMs } from './world.ts';

/**
 * One mutation straight to a server, by a client with a valid token that is not our app; `codes` are the accepted
 * answers.
 */
function ask(
  { world, chance }: StepContext,
  userId: string,
  given: { uid?: string; name: string; args: unknown },
  ...codes: string[]
): void {
  const instance = world.cluster.running()[0];
  if (instance === undefined) return;
  const uid = given.uid ?? createId(epochMs, chance);
  const mutation = { uid, name: given.name, args: given.args, at: world.now().toISOString() };
  instance
    .exchange(
      { userId },
      { protocol: 1, schema: 1, userId, cookie: null, shelves: {}, mutations: [mutation], awaiting: [] },
    )
    .then(
      (answer) => {
        const read = exchangeAnswerSchema.parse(answer);
        if (read.kind !== 'delta' || read.more || read.stopped !== undefined) return;
        const said = read.outcomes.find((outcome) => outcome.uid === uid);
        world.counters.count(`a stranger was told: ${said?.code ?? said?.status ?? 'nothing'}`);
        const heard = said?.code ?? said?.status ?? 'not at all';
        if (!codes.includes(heard))
          world.checker.accuse(
            new Violation(
              codes.includes('uid-reused') ? 'I1' : 'I8',
              'the server',
              `${given.name} of a hostile client was answered ${heard}, not ${codes.join(' or ')}`,
            ),
          );
      },
      () => world.counters.count('a hostile client met a fault'),
    );
}

/** Clients other than our app, whose requests the server must reject. */
export const hostileClients = steps({
  'closes another person’s job': {
    weight: 1,
    act: (context) => {
      const job = [...(context.world.backend.committed().get('jobs')?.values() ?? [])][0];
      const { mere } = context.world.people;
      if (job === undefined) return undefined;
      ask(
        context,
        mere,
        { name: 'job.close', args: { id: job['id'] } },
        ...(job['userId'] === mere ? ['applied', 'not-found'] : ['not-found']),
      );
      return 'another client tries to close another person’s job';
    },
  },
  'asks for what there is not': {
    weight: 1,
    act: (context) => {
      ask(context, context.world.people.mere, { name: 'job.fly', args: {} }, 'unknown-mutation');
      return 'an app from the future sends a mutation this server does not know';
    },
  },
  'attaches a foreign photo': {
    weight: 1,
    act: (context) => {
      const { aroha } = context.world.people;
      const job = [...(context.world.backend.committed().get('jobs')?.values() ?? [])].find(
        (row) => row['userId'] === aroha && row['status'] === 'active',
      );
      if (job === undefined) return undefined;
      // Between request and decision the job may be closed or deleted: either rejection is right, an acceptance is not.
      const given = {
        name: 'photo.attach',
        args: { id: createId(epochMs, context.chance), jobId: job['id'], url: 'https://evil.example/1.jpg' },
      };
      ask(context, aroha, given, 'foreign-photo', 'job-closed', 'not-found');
      return 'a client attaches a photo from elsewhere';
    },
  },
  'takes a waiting uid': {
    weight: 1,
    act: (context) => {
      const { world, device, chance } = context;
      const waiting = world.checker.look(world.checker.groupOf(device, device.userId))?.outbox ?? [];
      if (waiting.length === 0) return undefined;
      const { uid } = chance.pick(waiting);
      const args = {
        id: createId(epochMs, chance),
        title: 'Taken',
        description: 'Under a uid that is somebody else’s.',
        urgency: 'soon',
        locationId: locations[0],
        categoryId: categories[0],
      };
      ask(context, device.userId, { uid, name: 'job.post', args }, 'applied', 'uid-reused');
      return 'a waiting uid is used for something else first';
    },
  },
  'uses a uid twice': {
    weight: 1,
    act: (context) => {
      const decided = context.world.decisions.all().filter(({ status }) => status === 'applied');
      if (decided.length === 0) return undefined;
      const { uid, userId } = context.chance.pick(decided);
      ask(context, userId, { uid, name: 'job.fly', args: { other: true } }, 'uid-reused');
      return 'a uid comes back with other args';
    },
  },
});
