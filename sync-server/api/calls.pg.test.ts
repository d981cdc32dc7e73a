import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeInterest, makeJob, makeReference, makeTestId, makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { Job, Tradie, User } from '../../shared/tables/index.ts';
import { insertRows } from '../db/write-rows.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';

describe.each(usualDatabase)('the documented calls on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let owner: User;
  let tradieUser: User;
  let lapsed: User;
  let tradie: Tradie;
  let job: Job;
  let closed: Job;

  beforeAll(async () => {
    database = await openTestDb(kind);
    owner = makeUser({ firstName: 'Hinemoa', lastName: 'Tūhoe', email: 'hinemoa@example.nz' });
    tradieUser = makeUser({ subscriptionStatus: 'active' });
    lapsed = makeUser({ subscriptionStatus: 'canceled' });
    tradie = makeTradie({ userId: tradieUser.id });
    const lapsedTradie = makeTradie({ userId: lapsed.id });
    tradieUser.tradieId = tradie.id;
    lapsed.tradieId = lapsedTradie.id;
    job = makeJob({ userId: owner.id });
    closed = makeJob({ userId: owner.id, status: 'closed' });
    await insertRows(database.sql, 'reference', [
      makeReference(),
      makeReference({ id: 'southland/winton', kind: 'location', name: 'Winton', region: 'Southland' }),
    ]);
    await database.transaction(async (sql) => {
      await insertRows(sql, 'users', [owner, { ...tradieUser, tradieId: null }, { ...lapsed, tradieId: null }]);
      await insertRows(sql, 'tradies', [tradie, lapsedTradie]);
      await rawSql`update users set tradie_id = (select id from tradies where user_id = users.id)`.execute(sql);
      await insertRows(sql, 'jobs', [job, closed]);
      await insertRows(sql, 'interests', [
        makeInterest({ jobId: closed.id, tradieId: tradie.id, userId: tradieUser.id, ownerId: owner.id }),
      ]);
    });
    app = await openTestApp({
      database,
      // A token is the user's id and address: the checks of real tokens have tests of their own.
      verifyToken: async (token) => {
        const [userId, email] = token.split('|');
        return userId === undefined || email === undefined ? undefined : { userId, email };
      },
    });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  function as(person: Pick<User, 'id' | 'email'> | undefined) {
    return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const response = await app.call(path, {
        method,
        headers: {
          ...(person === undefined ? {} : { authorization: `Bearer ${person.id}|${person.email}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
    };
  }

  const newJob = (changes: Record<string, unknown> = {}) => ({
    title: 'Fix a gate',
    description: 'It sags.',
    locationId: 'southland/winton',
    urgency: 'slow',
    categoryId: 'spouting',
    budgetMax: 250.5,
    images: [],
    ...changes,
  });

  test('lists are the same for every caller and answer 304 [§3, §7]', async () => {
    const first = await as(undefined)('GET', '/api/locations');
    expect(first.body).toEqual([{ id: 'southland/winton', region: 'Southland', town: 'Winton' }]);
    const again = await as(tradieUser)('GET', '/api/locations', undefined, {
      'if-none-match': first.headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
    const directory = await as(undefined)('GET', '/api/tradies');
    expect(directory.text).toContain(tradie.id);
    expect(directory.text).not.toContain('@example.nz');
  });

  test('users: 404 without a profile, made once, only for one’s own address [§3, §5, §7]', async () => {
    const stranger = { id: makeTestId(), email: 'new@example.nz' };
    expect(await as(stranger)('GET', '/api/users/me')).toMatchObject({
      status: 404,
      body: { code: 'profile-missing' },
    });
    const profile = { email: ' NEW@example.nz ', firstName: 'Mere', lastName: 'Rangi' };
    expect((await as(stranger)('POST', '/api/users', { ...profile, email: 'other@example.nz' })).status).toBe(403);
    expect((await as(stranger)('POST', '/api/users', { ...profile, firstName: ' ' })).body).toMatchObject({
      code: 'invalid',
      error: 'First name is required.',
      details: { fields: { firstName: 'First name is required.' } },
    });
    const both = await Promise.all([
      as(stranger)('POST', '/api/users', profile),
      as(stranger)('POST', '/api/users', profile),
    ]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect((await as(stranger)('GET', '/api/users/me')).body).toMatchObject({
      firstName: 'Mere',
      isTradie: false,
      tradieId: null,
    });
    expect((await as(undefined)('GET', '/api/users/me')).status).toBe(401);
  });

  test('jobs: who may list what [§4 job, §7, §settled]', async () => {
    expect((await as(undefined)('GET', '/api/jobs')).status).toBe(401);
    expect(await as(owner)('GET', '/api/jobs')).toMatchObject({ status: 403, body: { code: 'subscription-required' } });
    expect((await as(lapsed)('GET', '/api/jobs')).status).toBe(403);
    const listed = await as(tradieUser)('GET', '/api/jobs');
    expect(listed.body).toMatchObject([{ id: job.id, location: { town: 'Winton' }, budgetMax: 1200 }]);
    expect(listed.text).not.toContain(owner.id);
    expect((await as(owner)('GET', '/api/jobs?type=my-jobs')).body).toHaveLength(2);
  });

  test('jobs: an active one by link, a closed one for its owner and those who answered [§7, §settled]', async () => {
    expect((await as(undefined)('GET', `/api/jobs/${job.id}`)).text).not.toContain(owner.id);
    expect((await as(owner)('GET', `/api/jobs/${job.id}`)).body).toMatchObject({ userId: owner.id });
    expect((await as(undefined)('GET', `/api/jobs/${closed.id}`)).status).toBe(404);
    expect((await as(lapsed)('GET', `/api/jobs/${closed.id}`)).status).toBe(404);
    expect((await as(tradieUser)('GET', `/api/jobs/${closed.id}`)).status).toBe(200);
    expect((await as(owner)('GET', '/api/jobs/not-an-id')).status).toBe(404);
  });

  test('jobs: posted with photos, edited, closed; a repeat changes nothing [§5, §7]', async () => {
    const id = makeTestId();
    const photo = (name: string) => `${app.origin}/storage/v1/object/public/job-photos/${id}/${name}`;
    const key = { 'idempotency-key': makeTestId() };
    const posted = await as(owner)('POST', '/api/jobs', newJob({ id, images: [photo('1-a.jpg')] }), key);
    expect(posted).toMatchObject({
      status: 201,
      body: { id, images: [photo('1-a.jpg')], status: 'active', budgetMax: 250.5 },
    });
    expect((await as(owner)('POST', '/api/jobs', newJob({ id, images: [photo('1-a.jpg')] }), key)).status).toBe(201);
    const edited = await as(owner)('PATCH', `/api/jobs/${id}`, {
      title: 'Two gates',
      budget_max: null,
      images: [photo('2-b.jpg')],
    });
    expect(edited.body).toMatchObject({ title: 'Two gates', budgetMax: null, images: [photo('2-b.jpg')] });
    expect((await as(tradieUser)('PATCH', `/api/jobs/${id}`, { title: 'Mine' })).status).toBe(404);
    expect((await as(tradieUser)('PATCH', `/api/jobs/${id}/close`, { reason: 'Closed by user' })).status).toBe(404);
    expect((await as(owner)('PATCH', `/api/jobs/${id}/close`, { reason: 'Closed by user' })).body).toMatchObject({
      status: 'closed',
    });
    expect(await as(owner)('PATCH', `/api/jobs/${id}`, { title: 'Late' })).toMatchObject({
      status: 409,
      body: { code: 'job-closed' },
    });
  });

  test('jobs: every wrong field is named at once, and nothing is written [§7]', async () => {
    const bad = await as(owner)(
      'POST',
      '/api/jobs',
      newJob({ title: '', budgetMax: -1, urgency: 'now', description: 'x'.repeat(5_001) }),
    );
    expect(bad.status).toBe(400);
    expect(Object.keys((bad.body as { details: { fields: object } }).details.fields).toSorted()).toEqual([
      'budgetMax',
      'description',
      'title',
      'urgency',
    ]);
    expect((await as(owner)('POST', '/api/jobs', newJob({ locationId: 'nowhere/at-all' }))).body).toMatchObject({
      details: { fields: { locationId: expect.any(String) as string } },
    });
    const id = makeTestId();
    expect(await as(owner)('POST', '/api/jobs', newJob({ id, images: ['https://evil.example/a.jpg'] }))).toMatchObject({
      status: 400,
      body: { code: 'foreign-photo' },
    });
    expect((await as(owner)('GET', `/api/jobs/${id}`)).status).toBe(404);
  });

  test('interest: expressed once, contacts for the owner alone [§1, §3, §7, §settled]', async () => {
    const express = () => as(tradieUser)('POST', `/api/jobs/${job.id}/interest`, { note: 'Thursday?' });
    const first = await express();
    expect(first).toMatchObject({ status: 201, body: { jobId: job.id, note: 'Thursday?' } });
    expect((await express()).body).toEqual(first.body);
    expect(await as(lapsed)('POST', `/api/jobs/${job.id}/interest`, {})).toMatchObject({
      status: 403,
      body: { code: 'subscription-required' },
    });
    expect((await as(owner)('POST', `/api/jobs/${job.id}/interest`, {})).status).toBe(404);
    expect((await as(owner)('GET', `/api/jobs/${job.id}/interests`)).body).toMatchObject([
      { note: 'Thursday?', tradie: { email: tradie.email, contactPhone: tradie.contactPhone } },
    ]);
    expect((await as(lapsed)('GET', `/api/jobs/${job.id}/interests`)).body).toEqual([]);
    expect((await as({ id: makeTestId(), email: 'x@example.nz' })('GET', `/api/jobs/${job.id}/interests`)).status).toBe(
      403,
    );
    const own = await as(tradieUser)('GET', '/api/tradies/me/interests');
    expect((own.body as { jobId: string }[]).map(({ jobId }) => jobId).toSorted()).toEqual(
      [closed.id, job.id].toSorted(),
    );
    expect(own.text).not.toContain(owner.id);
  });

  test('profiles: contacts only when signed in, and who read them is written down [§3, §7, §settled]', async () => {
    const open = await as(undefined)('GET', `/api/tradies/${tradie.id}`);
    expect(open.body).toMatchObject({ businessName: tradie.businessName, nzbn: tradie.nzbn });
    expect(open.text).not.toContain(tradie.email);
    expect((await as(owner)('GET', `/api/tradies/${tradie.id}`)).body).toMatchObject({ email: tradie.email });
    const { rows } = await rawSql<{
      reads: number;
    }>`select reads from contact_read where reader_id = ${owner.id} and tradie_id = ${tradie.id}`.execute(database.sql);
    expect(rows[0]?.reads).toBeGreaterThan(0);
    expect(app.logged()).not.toContain(tradie.email);
    const edited = await as(tradieUser)('PATCH', `/api/tradies/${tradie.id}`, {
      contactPhone: '027 123 4567',
      email: tradieUser.email,
      categoryIds: ['spouting'],
    });
    expect(edited.body).toMatchObject({
      contactPhone: '+64271234567',
      email: tradie.email,
      categories: [{ id: 'spouting' }],
    });
    expect((await as(owner)('PATCH', `/api/tradies/${tradie.id}`, { description: 'x' })).status).toBe(404);
    expect((await as(owner)('GET', '/api/tradies/me')).status).toBe(404);
  });

  test('an unknown call and the documents [§settled]', async () => {
    expect(await as(undefined)('GET', '/api/nothing')).toMatchObject({ status: 404, body: { code: 'not-found' } });
    const document = (await as(undefined)('GET', '/api/openapi.json')).body as {
      openapi: string;
      paths: Record<string, object>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths['/api/jobs/{id}'] ?? {}).toSorted()).toEqual(['get', 'patch']);
    const page = await app.call('/api/docs');
    expect(await page.text()).toContain('<h1>Dwang: the calls</h1>');
  });
});
