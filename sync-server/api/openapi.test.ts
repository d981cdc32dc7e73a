import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { callNames, calls } from '../../shared/api/index.ts';
import { docsPage } from './docs-page.ts';
import { examples } from './examples.ts';
import { createApiDocument } from './openapi.ts';

test('the document is OpenAPI 3.1, by the official schema, and every reference leads somewhere', async () => {
  const document = createApiDocument();
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    expect(path!.split('/').reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document)).toBeTypeOf(
      'object',
    );
  }
});

test('a document that is not OpenAPI is detected', async () => {
  const { info: _, ...broken } = createApiDocument();
  expect((await new Validator().validate(broken)).valid).toBe(false);
});

test('every call is an operation of its own, with what it takes and all it may answer', () => {
  const paths = createApiDocument()['paths'] as Record<
    string,
    Record<string, { operationId: string; parameters: { name: string; in: string }[] }>
  >;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  );
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(callNames.toSorted());
  for (const { path, parameters } of operations) {
    const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  }
});

test.each(callNames)('the example of %s is one', (name) => {
  expect(calls[name].answer.parse(examples[name].answer)).toEqual(examples[name].answer);
  expect(calls[name].body.safeParse(examples[name].body ?? {}).success).toBe(true);
});

test('the page shows every call, its examples and its errors, and nothing that a content policy would block', () => {
  const page = docsPage();
  for (const name of callNames) expect(page).toContain(`<h2 id="${name}">`);
  expect(page).toContain('9429040402543');
  expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  expect(page.match(/<h1/g)).toHaveLength(1);
});
