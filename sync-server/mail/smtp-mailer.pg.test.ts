import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEffects } from '../open-effects.ts';
import { createQueuedMailer } from '../effects/queued-mailer.ts';
import { createLog } from '../lib/log.ts';
import { openTestSmtpServer, type TestSmtpServer } from '../testing/test-smtp-server.ts';
import { usualDatabase, openTestDb } from '../testing/test-db.ts';
import { openSmtpMailer, type SmtpMailer } from './smtp-mailer.ts';

let office: TestSmtpServer;
let mailer: SmtpMailer;
beforeAll(async () => {
  office = await openTestSmtpServer();
  mailer = openSmtpMailer({ smtpUrl: office.url, from: 'Dwang <hello@dwang.example.nz>' });
});
afterAll(async () => {
  mailer.close();
  await office.close();
});

const mail = {
  to: 'aroha@example.nz',
  subject: 'Kia ora, Ōtautahi',
  text: 'He kōrero.\n\nhttps://dwang.example.nz/x\n',
  html: '<p>He kōrero.</p>',
};

test('a mail arrives whole: both texts, who it is from, its own name and how to stop', async () => {
  await mailer.send({
    ...mail,
    id: 'interest.mail:0199',
    unsubscribeUrl: 'https://dwang.example.nz/api/mail/unsubscribe/1',
  });
  const { to, message } = office.taken.at(-1)!;
  expect(to).toEqual(['aroha@example.nz']);
  expect(message).toMatch(/^From: Dwang <hello@dwang\.example\.nz>\r$/m);
  expect(message).toMatch(/^To: aroha@example\.nz\r$/m);
  expect(message).toMatch(/^Message-ID: <interest\.mail\.0199@dwang\.example\.nz>\r$/im);
  expect(message).toMatch(/^List-Unsubscribe: <https:\/\/dwang\.example\.nz\/api\/mail\/unsubscribe\/1>\r$/m);
  expect(message).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  expect(message).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(message).toMatch(/text\/plain[\s\S]*text\/html/);
});

test('nothing in an address or a subject becomes another header or another reader', async () => {
  const before = office.taken.length;
  await mailer.send({ ...mail, subject: 'x\r\nBcc: everybody@example.nz' });
  expect(office.taken.at(-1)?.to).toEqual(['aroha@example.nz']);
  expect(office.taken.at(-1)?.message).not.toMatch(/^Bcc:/m);
  await mailer.send({ ...mail, to: 'aroha@example.nz, other@example.nz' }).catch(() => undefined);
  await mailer.send({ ...mail, to: 'aroha@example.nz\r\nRCPT TO:<other@example.nz>' }).catch(() => undefined);
  expect(office.taken.slice(before).flatMap(({ to }) => to)).not.toContain('other@example.nz');
});

test('where it is rejected, the sender is told', async () => {
  office.refuse(true);
  await expect(mailer.send(mail)).rejects.toMatchObject({ responseCode: 451 });
  office.refuse(false);
});

describe.each(usualDatabase)('queued, on %s', (kind) => {
  test('the caller is answered at once; the mail goes out when the SMTP server accepts it, and is not kept', async () => {
    const database = await openTestDb(kind);
    let ahead = 0;
    const lines: string[] = [];
    const parts = {
      database,
      clock: () => new Date(Date.now() + ahead),
      log: createLog('debug', { write: (line) => void lines.push(line) }),
    };
    const effects = openEffects({ ...parts, mailer, sendPush: undefined, publicUrl: () => 'https://dwang.example.nz' });
    office.refuse(true);
    await createQueuedMailer(parts).send({ ...mail, subject: `On ${kind}` });
    await effects.run();
    const sentYet = () => office.taken.filter(({ message }) => message.includes(`Subject: On ${kind}`)).length;
    expect(sentYet()).toBe(0);
    expect(lines.join('')).toContain('451');
    expect(lines.join('')).not.toContain('@example.nz');
    office.refuse(false);
    ahead = 60_000;
    await effects.run();
    await effects.run();
    expect(sentYet()).toBe(1);
    expect(await database.sql.selectFrom('effect').select('payload').execute()).toEqual([{ payload: {} }]);
    await effects.close();
    await database.close();
  });
});
