import { describe, expect, it } from 'vitest';
import { maxPushBytes, pushMessage, type PushedJob } from '../../shared/protocol/push-message.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { interestMessage, jobMessage, type AlertedJob } from './push-message.ts';

const reader = {
  feed: { version: '17', timeline: 'now' },
  userId: '0199e0a9-5e6f-7a1b-9c2d-3e4f5a6b7c8d',
  origin: 'https://dwang.example.nz',
};

function alerted(changes: Partial<PushedJob> = {}): AlertedJob {
  const { userId: _owner, closedAt: _closed, ...row } = makeJob(changes);
  return { row, place: 'Winton, Southland', version: '16' };
}
const read = (text: string) => pushMessage.parse(JSON.parse(text)).notification;
const bytes = (text: string) => Buffer.byteLength(text);

describe('an alert about a new job', () => {
  it('says what, where and how much, and brings the job along', () => {
    const job = alerted({ title: 'Fix the gate', budgetMax: 1_200 });
    expect(read(jobMessage(reader, [job]))).toMatchObject({
      title: 'Fix the gate',
      body: 'Winton, Southland · Up to $1,200',
      navigate: `https://dwang.example.nz/job/${job.row.id}`,
      tag: `job-${job.row.id}`,
      data: { for: reader.userId, kind: 'job', jobs: [job.row] },
    });
  });

  it('fits into a push message, however long the job’s words and photos’ names are', () => {
    const job = alerted({
      description: 'ā'.repeat(5_000),
      images: Array.from({ length: 5 }, (_, at) => `job-photos/${'x'.repeat(500)}${at}`),
    });
    const text = jobMessage(reader, [job]);
    expect(bytes(text)).toBeLessThanOrEqual(maxPushBytes);
    const [brought] = read(text).data.jobs;
    expect(brought).toMatchObject({ id: job.row.id, images: [] });
    expect(String(brought?.['description'])).toMatch(/^ā{500,}…$/);
  });

  it('about many says how many, and brings as many along as fit', () => {
    const jobs = Array.from({ length: 12 }, (_, at) => alerted({ title: `Job ${at}`, description: 'x'.repeat(4_000) }));
    const text = jobMessage(reader, jobs);
    expect(bytes(text)).toBeLessThanOrEqual(maxPushBytes);
    const { title, navigate, data } = read(text);
    expect([title, navigate]).toEqual(['12 new jobs for you', 'https://dwang.example.nz/find-jobs']);
    expect(data.jobs.length).toBeGreaterThan(1);
    expect(data.versions).toHaveLength(data.jobs.length);
    expect(data.jobs.map(({ id }) => id)).toEqual(jobs.slice(0, data.jobs.length).map(({ row }) => row.id));
  });
});

describe('an alert about an interest', () => {
  const interest = { jobId: reader.userId, jobTitle: 'Fix the gate', businessName: 'Southern Spouting' };

  it('says which job and who', () => {
    expect(read(interestMessage(reader, [interest]))).toMatchObject({
      title: 'A tradie is interested',
      body: 'Fix the gate: “Southern Spouting”',
      navigate: `https://dwang.example.nz/job/${interest.jobId}`,
      data: { kind: 'interest', jobs: [] },
    });
  });

  it('about several jobs leads to the dashboard', () => {
    const text = interestMessage(reader, [interest, { ...interest, jobId: '0199e0a9-5e6f-7a1b-9c2d-3e4f5a6b7c99' }]);
    expect(read(text)).toMatchObject({
      title: '2 tradies are interested',
      body: 'In 2 of your jobs.',
      navigate: 'https://dwang.example.nz/dashboard',
    });
  });

  it('quotes a business name that tries to pose as a link', () => {
    const { body } = read(interestMessage(reader, [{ ...interest, businessName: 'Dwang http://evil.example.nz' }]));
    expect(body).toBe('Fix the gate: “Dwang evil. example. nz”');
  });
});
