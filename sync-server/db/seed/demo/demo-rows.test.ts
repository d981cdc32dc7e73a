import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { toE164 } from '../../../../shared/lib/phone.ts';
import { readPicture } from '../../../../shared/lib/picture.ts';
import { hasSubscription, actorOf } from '../../../../shared/actor.ts';
import { maxPhotos } from '../../../../shared/tables/fields.ts';
import { tables } from '../../../../shared/tables/index.ts';
import { referenceRows } from '../reference-rows.ts';
import { demoTradies } from './demo-people.ts';
import { demoRows } from './demo-rows.ts';
import { picturePath } from './picture-path.ts';

const now = new Date('2026-11-21T00:00:00.000Z');
const rows = demoRows(now);
const known = new Map(referenceRows().map(({ id, kind }) => [id, kind]));

it('makes 60 jobs, three tradies and rows that fit their tables', () => {
  expect(rows.jobs).toHaveLength(60);
  expect(rows.tradies).toHaveLength(3);
  for (const row of rows.jobs) expect(tables.jobs.row.parse(row)).toEqual(row);
  for (const row of rows.users) expect(tables.users.row.parse(row)).toEqual(row);
  for (const row of rows.tradies) expect(tables.tradies.row.parse(row)).toEqual(row);
  for (const row of rows.interests) expect(tables.interests.row.parse(row)).toEqual(row);
  const ids = [...rows.jobs, ...rows.users, ...rows.tradies, ...rows.interests].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('names only towns and trades that are on the lists', () => {
  for (const { title, locationId, categoryId } of rows.jobs) {
    expect([known.get(locationId ?? ''), known.get(categoryId)], title).toEqual(['location', 'category']);
  }
  for (const { locationId, categoryIds } of rows.tradies) {
    expect(known.get(locationId ?? '')).toBe('location');
    for (const id of categoryIds) expect(known.get(id)).toBe('category');
  }
  expect(new Set(rows.jobs.map(({ categoryId }) => categoryId)).size).toBeGreaterThan(25);
  expect(new Set(rows.jobs.map(({ locationId }) => locationId?.split('/')[0])).size).toBeGreaterThan(14);
});

it('is in chronological order', () => {
  for (const job of rows.jobs) {
    expect(Date.parse(job.createdAt), job.title).toBeLessThan(now.getTime());
    expect(job.closedAt === null || job.closedAt > job.createdAt, job.title).toBe(true);
    const interests = rows.interests.filter(({ jobId }) => jobId === job.id);
    expect(job.interestCount).toBe(interests.length);
    for (const { createdAt, contactedAt, tradieId } of interests) {
      expect(createdAt > job.createdAt && createdAt < (job.closedAt ?? '9'), job.title).toBe(true);
      expect(contactedAt === null || contactedAt > createdAt, job.title).toBe(true);
      expect(interests.filter((other) => other.tradieId === tradieId)).toHaveLength(1);
    }
  }
});

it('has one tradie who pays, one on trial and one whose subscription is over', () => {
  const may = (email: string) =>
    hasSubscription(actorOf(rows.users.find((user) => user.email === email)!), now.toISOString());
  expect(Object.values(demoTradies).map(({ email }) => may(email))).toEqual([true, true, false]);
  for (const { contactPhone } of rows.tradies) expect(toE164(contactPhone ?? '')).toBe(contactPhone);
});

it('keeps every picture under a path that names no person: its job’s, or a folder of its own', () => {
  const stored = new Set(rows.files.map(({ bucket, path }) => `${bucket}/${path}`));
  for (const job of rows.jobs) {
    expect(job.images.length).toBeLessThanOrEqual(maxPhotos);
    for (const url of job.images) {
      expect(stored.has(url)).toBe(true);
      expect(url.startsWith(`job-photos/${job.id}/`)).toBe(true);
    }
  }
  for (const { logo } of rows.tradies) expect(stored.has(logo)).toBe(true);
  const people = rows.users.map(({ id }) => id);
  expect([...stored].filter((ref) => people.some((id) => ref.includes(id)))).toEqual([]);
});

it('has a small drawn picture for every path, and none that is not shown', () => {
  const named = new Set(rows.files.map(({ picture }) => picturePath(picture)));
  const folder = dirname(picturePath('any'));
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([...named].sort());
  for (const { bucket, picture } of rows.files) {
    const bytes = readFileSync(picturePath(picture));
    expect(readPicture(bytes), picture).toMatchObject({
      type: 'image/webp',
      ...(bucket === 'job-photos' ? { width: 480, height: 360 } : { width: 192, height: 192 }),
      end: bytes.length,
    });
    expect(bytes.length, picture).toBeLessThan(12_000);
  }
});

it('makes the same rows again, whenever it runs, but for the times', () => {
  const timeless = ({ jobs }: typeof rows) => jobs.map((job) => ({ ...job, createdAt: null, closedAt: null }));
  expect(demoRows(now).jobs).toEqual(rows.jobs);
  expect(timeless(demoRows(new Date('2027-03-01T00:00:00.000Z')))).toEqual(timeless(rows));
});
