import { describe, expect, it } from 'vitest';
import { createFairQueue, type FairQueueOptions } from './fair-queue.ts';
import { createPasswords } from './passwords.ts';

const cheap = { logN: 4, r: 8, p: 1 };

describe('passwords', () => {
  it('are kept as salted scrypt hashes with their cost', async () => {
    const passwords = createPasswords();
    const [one, two] = await Promise.all([passwords.hash('secret', 'here'), passwords.hash('secret', 'here')]);
    expect(one).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(two);
    expect(await passwords.verify('secret', one, 'here')).toBe(true);
    expect(await passwords.verify('secreT', one, 'here')).toBe(false);
  });

  it('still fit after the cost was raised', async () => {
    const old = await createPasswords({ cost: cheap }).hash('secret', 'here');
    expect(await createPasswords({ cost: { ...cheap, logN: 5 } }).verify('secret', old, 'here')).toBe(true);
  });

  it('never fit an account that is not there', async () => {
    expect(await createPasswords({ cost: cheap }).verify('', null, 'here')).toBe(false);
  });

  it('cost as much for an account that is not there: it waits in the queue as well', async () => {
    const passwords = createPasswords({ cost: cheap, parallel: 1, waiting: 0 });
    const nobody = passwords.verify('secret', null, 'here');
    await expect(passwords.hash('other', 'here')).rejects.toMatchObject({ status: 429 });
    expect(await nobody).toBe(false);
  });

  it('wait in the queue, and are rejected where the queue is full', async () => {
    const passwords = createPasswords({ cost: cheap, parallel: 1, waiting: 2 });
    const answers = await Promise.allSettled(['a', 'b', 'c', 'd'].map((secret) => passwords.hash(secret, 'here')));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(answers[3]).toMatchObject({ reason: { status: 429, code: 'over_request_rate_limit' } });
    expect(await passwords.hash('later', 'here')).toMatch(/^scrypt/);
  });
});

describe('a fair queue', () => {
  /** Work that ends when told to, in an order that is written down. */
  function openLine(options: Partial<FairQueueOptions> = {}) {
    const inTurn = createFairQueue({ parallel: 1, waiting: 100, waitingPerKey: 50, ...options });
    const began: string[] = [];
    const refused: string[] = [];
    let finish = () => undefined as void;
    const come = (queueKey: string, name: string) =>
      void inTurn(
        queueKey,
        () =>
          new Promise<void>((resolve) => {
            began.push(name);
            finish = resolve;
          }),
      ).catch(() => refused.push(name));
    const turn = async () => {
      finish();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { come, turn, began, refused };
  }

  it('lets a request wait for one of sixty from another address, not for all of them', async () => {
    const { come, turn, began } = openLine({ waitingPerKey: 100 });
    for (let at = 0; at < 60; at += 1) come('crowd', `crowd-${at}`);
    come('bystander', 'bystander');
    await turn();
    await turn();
    expect(began).toEqual(['crowd-0', 'crowd-1', 'bystander']);
    for (let at = 0; at < 58; at += 1) await turn();
    expect(began).toHaveLength(61);
  });

  it('bounds how many of one address wait', async () => {
    const { come, turn, began, refused } = openLine({ waitingPerKey: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) come('crowd', name);
    await turn();
    expect([began, refused]).toEqual([
      ['a', 'b'],
      ['d', 'e'],
    ]);
  });

  it('rejects the last of the longest FIFO, not another address’s request, where it is full', async () => {
    const { come, turn, began, refused } = openLine({ waiting: 4 });
    for (const name of ['run', '1', '2', '3', '4']) come('crowd', name);
    come('bystander', 'bystander');
    come('crowd', '5');
    for (let at = 0; at < 6; at += 1) await turn();
    expect(refused).toEqual(expect.arrayContaining(['4', '5']));
    expect(began).toEqual(['run', '1', 'bystander', '2', '3']);
  });

  it('is free again after work that failed', async () => {
    const inTurn = createFairQueue({ parallel: 1, waiting: 1, waitingPerKey: 1 });
    const [failed, later] = [
      inTurn('a', () => Promise.reject(new Error('no'))),
      inTurn('b', () => Promise.resolve('yes')),
    ];
    await expect(failed).rejects.toThrow('no');
    expect(await later).toBe('yes');
  });
});
