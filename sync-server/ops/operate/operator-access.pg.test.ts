import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hour } from '../../../shared/lib/durations.ts';
import type { User } from '../../../shared/tables/index.ts';
import { openOperateHarness, token, type OperateHarness } from '../../testing/operate-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';
import { findOperatorKey } from './operator-key.ts';

describe.each(usualDatabase)('who is let in as an operator, on %s', (kind) => {
  let harness: OperateHarness;
  let owner: User;

  beforeEach(async () => {
    harness = await openOperateHarness(kind);
    owner = await harness.homeowner({ email: 'hinemoa@planted.example.nz', firstName: 'Hinemoa' });
  });
  afterEach(() => harness.close());

  it('opens to the token alone', async () => {
    const paths = ['/health/sync', '/metrics', '/api/admin/parked.list', '/health'];
    for (const path of paths) {
      expect((await harness.app.call(path)).status).toBe(401);
      expect(
        (await harness.app.call(path, { headers: { authorization: 'Bearer an-admin-token-of-the-tesT' } })).status,
      ).toBe(401);
      expect((await harness.app.call(path, { headers: { authorization: `Bearer ${owner.id}` } })).status).toBe(401);
      expect((await harness.app.call(path, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    }
  });

  it('is not there where no token is configured, and shows itself on a demo machine', async () => {
    await harness.restart({});
    for (const path of ['/health', '/health/sync', '/metrics', '/api/admin/parked.list'])
      expect((await harness.app.call(path)).status).toBe(404);
    expect((await harness.app.call('/health/sign-in', { method: 'POST', body: 'token=' })).status).toBe(401);
    await harness.restart({ DEMO: '1' });
    expect((await harness.app.call('/health')).status).toBe(200);
    expect((await harness.app.call('/api/admin/parked.list')).status).toBe(404);
    await harness.restart({
      DEMO: '1',
      NODE_ENV: 'production',
      ALLOW_EMBEDDED: '1',
      SMTP_URL: 'smtp://localhost',
      MAIL_FROM: 'hi@dwang.example.nz',
    });
    expect((await harness.app.call('/health')).status).toBe(404);
  });

  it('lets a browser in by a cookie that is not the token, only to look, and only for hours', async () => {
    const wrong = await harness.app.call('/health/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ token: 'wrong' }),
    });
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
    const form = await wrong.text();
    expect(form).toMatch(/<input[^>]* aria-invalid="true" aria-describedby="wrong"/);
    expect(form).not.toMatch(/ style=|<style|<script(?![^>]* src=)| on\w+="/);
    expect(await (await harness.app.call('/health')).text()).not.toContain('aria-invalid');
    const right = await harness.app.call('/health/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ token }),
      redirect: 'manual',
    });
    const cookie = right.headers.get('set-cookie') ?? '';
    expect([right.status, right.headers.get('location')]).toEqual([303, '/health']);
    expect(cookie).toMatch(/; Path=\/health; HttpOnly; SameSite=Strict/);
    expect(cookie).not.toContain(token);
    const held = cookie.split(';')[0]!;
    const withCookie = async (path: string, given = held) =>
      (await harness.app.call(path, { headers: { cookie: given } })).status;
    expect(await withCookie('/health')).toBe(200);
    expect(await withCookie('/health/sync')).toBe(200);
    expect(await withCookie('/api/admin/parked.list')).toBe(401);
    expect(await withCookie('/health', held.replace(/=\d+/, '=9999999999999'))).toBe(401);
    harness.pass(9 * hour);
    expect(await withCookie('/health')).toBe(401);
  });

  it('leaves commands a key beside embedded data, for its owner alone, and takes it away again', async () => {
    const isEmbedded = kind === 'pglite';
    const names = await readdir(harness.dataDir);
    const modes = names.map(async (name) => [name, (await stat(join(harness.dataDir, name))).mode & 0o777]);
    expect(await Promise.all(modes)).toEqual(isEmbedded ? [['operator-key.json', 0o600]] : []);
    const key = await findOperatorKey(harness.dataDir);
    const headers = { authorization: `Bearer ${key?.token}` };
    expect((await harness.app.call('/api/admin/parked.list', { headers })).status).toBe(isEmbedded ? 200 : 401);
    await harness.operate.close();
    expect(await readdir(harness.dataDir)).toEqual([]);
  });
});
