import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedHarness } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';

describe.each(usualDatabase)('the mailbox on %s', (kind) => {
  let harness: EmbeddedHarness;
  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind);
  });
  afterAll(() => harness.close());

  it('keeps mail, newest first, with its links', async () => {
    const evil = '<script>alert(1)</script>';
    await harness.mailbox.send({
      to: 'a@example.nz',
      subject: 'First',
      text: 'Go to https://x.nz/a?b=1&c=2 now',
      html: '<p>hi</p>',
    });
    await harness.mailbox.send({ to: evil, subject: evil, text: evil, html: evil });
    const json = await (await fetch(`${harness.url}/dev/mailbox.json`)).json();
    expect(json).toEqual([
      {
        row: expect.any(Number),
        to: evil,
        subject: evil,
        text: evil,
        html: evil,
        links: [],
        at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      {
        row: expect.any(Number),
        to: 'a@example.nz',
        subject: 'First',
        text: 'Go to https://x.nz/a?b=1&c=2 now',
        html: '<p>hi</p>',
        links: ['https://x.nz/a?b=1&c=2'],
        at: expect.any(String),
      },
    ]);
    const response = await fetch(`${harness.url}/dev/mailbox`);
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).not.toContain(evil);
    expect(page).toContain('<a href="https://x.nz/a?b=1&amp;c=2">');
    expect(page.indexOf('&lt;script&gt;')).toBeLessThan(page.indexOf('First'));
    expect(page).toContain('<html lang="en-NZ">');
  });

  it('shows a mail as a mail program does, which runs nothing and is of no origin', async () => {
    await harness.mailbox.send({
      to: 'c@example.nz',
      subject: 'Designed',
      text: 'Hi',
      html: '<h1 style="color:red">Hi</h1>',
    });
    const page = await (await fetch(`${harness.url}/dev/mailbox`)).text();
    const path = /href="(\/dev\/mailbox\/\d+)">As a mail program shows it/.exec(page)?.[1];
    const shown = await fetch(`${harness.url}${path}`);
    expect(await shown.text()).toBe('<h1 style="color:red">Hi</h1>');
    const policy = shown.headers.get('content-security-policy');
    expect(policy).toMatch(/^sandbox allow-popups; default-src 'none';/);
    expect(policy).not.toContain('script');
    expect((await fetch(`${harness.url}/dev/mailbox/999999`)).status).toBe(404);
  });

  it('keeps the newest 500', async () => {
    for (let at = 0; at <= 500; at += 1)
      await harness.mailbox.send({ to: 'b@example.nz', subject: String(at), text: '', html: '' });
    const kept = await harness.mailbox.list();
    expect(kept.map(({ subject }) => subject)).toEqual(Array.from({ length: 500 }, (_, at) => String(500 - at)));
  });
});
