import { expect, it } from 'vitest';
import { errorsOfSpecs } from './lint-specs.ts';

it.each([
  `import { expect, test } from '@playwright/test';`,
  `import { expect } from '@playwright/test'; import { test } from './shared-server.ts';`,
])('the rules for tests hold for the browser tests: %s', async (imports) => {
  const found = await errorsOfSpecs({
    'e2e/planted.spec.ts': `${imports}
test('asserts nothing', async () => { await Promise.resolve(); });
test.skip('is left out', () => { expect(1).toBe(1); });
test.only('is the only one', () => { if (Date.now() > 0) expect(1).toBe(1); expect(2); });
`,
  });
  for (const rule of [
    'expect-expect',
    'no-disabled-tests',
    'no-focused-tests',
    'no-conditional-expect',
    'valid-expect',
  ])
    expect(found).toContain(`vitest(${rule})`);
  expect(found).toContain('e2e/planted.spec.ts:2:1:');
  expect(
    await errorsOfSpecs({
      'e2e/good.spec.ts': `${imports}
test('asserts', async () => { await expect.poll(() => 1).toBe(1); });
`,
    }),
  ).toBe('');
});
