import { expect, it } from 'vitest';
import { originFor } from './origin-for.ts';

it.each([
  ['https://dwang.nz', 'dwang.nz', 'https://dwang.nz'],
  ['https://dwang.nz', 'evil.example', 'https://dwang.nz'],
  ['https://dwang.nz', 'localhost', 'https://dwang.nz'],
  ['http://localhost:8080', '127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://localhost:8080', '[::1]:8080', 'http://[::1]:8080'],
  ['http://localhost:8080', 'localhost:9999', 'http://localhost:8080'],
  ['http://localhost:8080', 'localhost:8080@evil.example', 'http://localhost:8080'],
  ['http://localhost:8080', 'evil.example:8080', 'http://localhost:8080'],
  ['http://localhost:8080', '', 'http://localhost:8080'],
])('at %s a request to %j gets links to %s', (publicUrl, host, origin) => {
  expect(originFor(publicUrl, host)).toBe(origin);
});
