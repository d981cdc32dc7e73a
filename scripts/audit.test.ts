import { expect, it } from 'vitest';
import { readAudit } from './audit.ts';

const hole = (severity: string) => ({
  severity,
  via: [{ title: 'Reads what it should not', url: 'https://github.com/advisories/GHSA-0' }, 'other'],
});

it('fails on a high advisory in what the server runs', () => {
  const output = JSON.stringify({
    vulnerabilities: { koa: hole('high'), pg: hole('critical'), pino: hole('moderate') },
  });
  expect(readAudit(output)).toEqual({
    kind: 'holes',
    named: [
      'koa (high): Reads what it should not https://github.com/advisories/GHSA-0; by way of other',
      'pg (critical): Reads what it should not https://github.com/advisories/GHSA-0; by way of other',
    ],
  });
});

it('passes where none is known', () => {
  expect(readAudit(JSON.stringify({ vulnerabilities: {} }))).toEqual({ kind: 'clean' });
});

it('does not take a registry that cannot be asked for a clean bill', () => {
  expect(readAudit(JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '' } }))).toEqual({
    kind: 'not-asked',
    why: '405 Method Not Allowed',
  });
  expect(readAudit('npm ERR! network')).toEqual({ kind: 'not-asked', why: 'npm audit printed nothing readable' });
});
