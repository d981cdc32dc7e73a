import { describe, expect, it } from 'vitest';
import { missingPackages } from './installed.mjs';

const wanted = {
  packages: {
    '': {},
    'node_modules/koa': { version: '3.3.0' },
    'node_modules/fsevents': { version: '2.3.3', optional: true },
  },
};

describe('missingPackages', () => {
  it('names everything where nothing, or an installation that broke off, is there', () => {
    expect(missingPackages(wanted, undefined)).toEqual(['node_modules/koa']);
  });

  it('names what is there in another version', () => {
    expect(missingPackages(wanted, { packages: { 'node_modules/koa': { version: '3.2.9' } } })).toEqual([
      'node_modules/koa',
    ]);
  });

  it('is content with what the lockfile says, without the parts for other systems', () => {
    expect(
      missingPackages(wanted, {
        packages: { 'node_modules/koa': { version: '3.3.0' }, 'node_modules/more': { version: '1.0.0' } },
      }),
    ).toEqual([]);
  });
});
