import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedHarness } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';
import { jpegOf, png } from '../../../shared/testing/tiny-pictures.ts';

const mebibyte = 1024 * 1024;

describe.each(usualDatabase)('what an upload may not be, on %s', (kind) => {
  let harness: EmbeddedHarness;
  let me: Awaited<ReturnType<EmbeddedHarness['person']>>;
  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind);
    me = await harness.person();
  });
  afterAll(() => harness.close());
  const photos = (client = me.client) => client.storage.from('job-photos');
  const filesOnDisk = async () =>
    (await readdir(join(harness.dataDir, 'storage'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length;
  async function bytesAt(key: string) {
    const { data } = await photos().download(key);
    return data && new Uint8Array(await data.arrayBuffer());
  }

  it('takes 5 MiB and not a byte more, either way of sending', async () => {
    const before = await filesOnDisk();
    for (const [at, body] of [jpegOf(5 * mebibyte + 1), jpegOf(7 * mebibyte)]
      .flatMap((bytes) => [bytes, new Blob([bytes], { type: 'image/jpeg' })])
      .entries()) {
      const { error } = await photos().upload(`${me.id}/big-${at}.jpg`, body, { contentType: 'image/jpeg' });
      expect(error).toMatchObject({
        statusCode: '413',
        code: 'EntityTooLarge',
        message: 'The object exceeded the maximum allowed size',
      });
    }
    // A stream is sent without a Content-Length.
    const stream = new ReadableStream({
      start: (controller) => (controller.enqueue(jpegOf(6 * mebibyte)), controller.close()),
    });
    expect((await photos().upload(`${me.id}/stream.jpg`, stream, { contentType: 'image/jpeg' })).error).toMatchObject({
      code: 'EntityTooLarge',
    });
    expect(await filesOnDisk()).toBe(before);
    expect(
      (await photos().upload(`${me.id}/full.jpg`, jpegOf(5 * mebibyte), { contentType: 'image/jpeg' })).error,
    ).toBeNull();
  });

  it.each([
    ['a page', 'text/html', Buffer.from('<script>alert(1)</script>')],
    ['a page that says it is a photo', 'image/jpeg', Buffer.from('<script>alert(1)</script>')],
    ['a drawing, which can hold scripts', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a photo that says it is another kind', 'image/png', jpegOf(99)],
    ['a photo that says it is a page', 'text/html', jpegOf(99)],
    ['two letters of a photo', 'image/jpeg', Buffer.from([0xff, 0xd8])],
    ['a photo without a size', 'image/jpeg', jpegOf(3)],
    ['nothing', 'image/png', Buffer.alloc(0)],
  ])('rejects %s', async (_, contentType, bytes) => {
    const before = await filesOnDisk();
    const raw = await photos().upload(`${me.id}/wrong.jpg`, bytes, { contentType });
    const form = await photos().upload(`${me.id}/wrong.jpg`, new Blob([new Uint8Array(bytes)], { type: contentType }));
    for (const { error } of [raw, form])
      expect(error).toMatchObject({
        statusCode: '415',
        code: 'InvalidMimeType',
        message: `mime type ${contentType} is not supported`,
      });
    expect(await filesOnDisk()).toBe(before);
  });

  it('takes what a phone takes, and no few bytes that unpack to gigabytes', async () => {
    const before = await filesOnDisk();
    for (const bomb of [
      jpegOf(999, { width: 65_000, height: 65_000 }),
      jpegOf(999, { width: 12_001, height: 10_000 }),
    ]) {
      expect((await photos().upload(`${me.id}/bomb.jpg`, bomb, { contentType: 'image/jpeg' })).error).toMatchObject({
        statusCode: '413',
        message: 'The picture has too many pixels',
      });
    }
    expect(await filesOnDisk()).toBe(before);
    expect(
      (
        await photos().upload(`${me.id}/phone.jpg`, jpegOf(999, { width: 12_000, height: 9_000 }), {
          contentType: 'image/jpeg',
        })
      ).error,
    ).toBeNull();
  });

  it('keeps nothing that follows a picture’s end, and reads its first frame header', async () => {
    const jpeg = jpegOf(500);
    const second = Buffer.concat([jpeg, jpegOf(700), Buffer.from('GPS -41.2')]);
    const key = 'e6c0a6c2-0d1f-4f4c-8e0c-4b8b4b0a7001/1.jpg';
    expect((await photos().upload(key, second, { contentType: 'image/jpeg', upsert: true })).error).toBeNull();
    expect(await bytesAt(key)).toEqual(jpeg);
    const info = await photos().info(key);
    expect(info.data).toMatchObject({ size: 500, etag: `"${createHash('md5').update(jpeg).digest('hex')}"` });
    const [large, tiny] = [jpegOf(72_000, { width: 65_500, height: 65_500 }), jpegOf(99, { width: 8, height: 8 })];
    const hidden = Buffer.concat([large.subarray(0, 20), tiny.subarray(20, 39), large.subarray(20)]);
    expect((await photos().upload(key, large, { contentType: 'image/jpeg', upsert: true })).error).toMatchObject({
      statusCode: '413',
      message: 'The picture has too many pixels',
    });
    expect((await photos().upload(key, hidden, { contentType: 'image/jpeg', upsert: true })).error).toMatchObject({
      statusCode: '415',
    });
    expect(await bytesAt(key)).toEqual(jpeg);
  });

  it.each([
    '..',
    '%2e%2e/x.png',
    '../x.png',
    'a/../../x.png',
    'a/%2e%2e/%2e%2e/x.png',
    '%2e%2e%2fx.png',
    './x.png',
    'a//x.png',
    'x.png/',
    'a%5c..%5cx.png',
    'm%C4%81ori.png',
    'nul%00.png',
    'new%0Aline.png',
    '%E0%A4%A',
    'a'.repeat(1100),
  ])('rejects the key %j on the wire', async (key) => {
    const before = await filesOnDisk();
    const answer = await onTheWire(
      `PUT /storage/v1/object/job-photos/${me.id}/${key} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${me.token}\r\nContent-Type: image/png\r\nContent-Length: ${png.length}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/"code":"InvalidKey"/);
    expect(await filesOnDisk()).toBe(before);
  });

  it('keeps nothing of a body that ends early, and logs no error', async () => {
    const before = await filesOnDisk();
    const boundary = 'x'.repeat(20);
    const half = `--${boundary}\r\nContent-Disposition: form-data; name=""; filename="blob"\r\nContent-Type: image/png\r\n\r\nabc`;
    for (const type of ['image/png', `multipart/form-data; boundary=${boundary}`]) {
      const head = `PUT /storage/v1/object/job-photos/${me.id}/half.png HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${me.token}\r\nContent-Type: ${type}\r\n`;
      await onTheWire(`${head}Content-Length: 9999\r\n\r\n${half}`, { hangUp: true });
      expect(await onTheWire(`${head}Content-Length: ${half.length}\r\nConnection: close\r\n\r\n${half}`)).toMatch(
        /"code":"Invalid(Request|MimeType)"/,
      );
    }
    const noBoundary = await fetch(`${harness.url}/storage/v1/object/job-photos/${me.id}/x.png`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${me.token}`, 'Content-Type': 'multipart/form-data' },
      body: 'x',
    });
    expect(await noBoundary.json()).toMatchObject({ code: 'InvalidRequest' });
    const form = new FormData();
    form.set('cacheControl', '1');
    const noFile = await fetch(`${harness.url}/storage/v1/object/job-photos/${me.id}/x.png`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${me.token}` },
      body: form,
    });
    expect(await noFile.json()).toMatchObject({ code: 'InvalidRequest', message: 'The form has no file' });
    await expect.poll(filesOnDisk).toBe(before);
    expect(harness.errors).toEqual([]);
  });

  it('answers a rejected upload at once, however much of it is still to come, and drops the rest up to a limit', async () => {
    const { port } = new URL(harness.url);
    const head = `POST /storage/v1/object/job-photos/nobody/1.png HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: ${64 * mebibyte}\r\n\r\n`;
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(head);
    const answer = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*connection: close[^]*"code":"InvalidRequest"/i);
    // The client gets it before the connection ends, while its bytes still come.
    expect(socket.destroyed).toBe(false);
    const chunk = Buffer.alloc(64 * 1024);
    let sent = 0;
    while (!socket.destroyed && sent < 64 * mebibyte) {
      sent += chunk.length;
      if (!socket.write(chunk)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
    }
    await closed;
    expect(sent).toBeGreaterThanOrEqual(8 * mebibyte);
    expect(sent).toBeLessThan(64 * mebibyte);
  });

  it('ten photos of one person may be in flight at once, so that one person cannot fill the bulkhead with photos that never come', async () => {
    const { port } = new URL(harness.url);
    const slow = await harness.person();
    const lines = [
      'Host: x',
      `Authorization: Bearer ${slow.token}`,
      'Content-Type: image/png',
      'Content-Length: 1000',
    ].join('\r\n');
    const heard: string[] = [];
    const sockets = Array.from({ length: 12 }, (_, nth) => {
      const socket = connect(Number(port), '127.0.0.1')
        .on('error', () => undefined)
        .on('data', (chunk) => heard.push(String(chunk)));
      socket.write(`POST /storage/v1/object/job-photos/${slow.id}/${nth}.png HTTP/1.1\r\n${lines}\r\n\r\n`);
      return socket;
    });
    await expect.poll(() => heard.length).toBe(2);
    for (const answer of heard) expect(answer).toMatch(/^HTTP\/1\.1 429 [^]*"code":"SlowDown"/);
    expect((await photos().upload(`${me.id}/meanwhile.png`, png, { contentType: 'image/png' })).error).toBeNull();
    for (const socket of sockets) socket.destroy();
    const again = () =>
      slow.client.storage
        .from('job-photos')
        .upload(`${slow.id}/again.png`, png, { contentType: 'image/png', upsert: true });
    await expect.poll(async () => (await again()).error).toBeNull();
  });

  it('supabase-js receives the rejection of a photo that it is still sending', async () => {
    const nobody = harness.client().storage.from('job-photos');
    for (const body of [jpegOf(4 * mebibyte), new Blob([jpegOf(4 * mebibyte)], { type: 'image/jpeg' })]) {
      expect((await nobody.upload('nobody/1.jpg', body, { contentType: 'image/jpeg' })).error).toMatchObject({
        statusCode: '403',
        code: 'AccessDenied',
      });
    }
  });

  it('limits the storage of each person', async () => {
    const { client, id } = await harness.person();
    const send = (at: number) =>
      photos(client).upload(`${id}/${at}.jpg`, jpegOf(5 * mebibyte), { contentType: 'image/jpeg' });
    for (let at = 0; at < 4; at += 1) expect((await send(at)).error).toBeNull();
    expect((await send(4)).error).toMatchObject({ code: 'EntityTooLarge' });
    await photos(client).remove([`${id}/0.jpg`]);
    expect((await send(4)).error).toBeNull();
  });

  /** What a client that follows no rules may send, and what it gets. */
  function onTheWire(request: string, { hangUp = false } = {}): Promise<string> {
    const { port } = new URL(harness.url);
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(request);
        if (hangUp) setTimeout(() => socket.destroy(), 50);
        else if (request.endsWith('\r\n\r\n')) socket.write(png);
      });
      socket.on('data', (chunk) => (answer += chunk));
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });
  }
});
