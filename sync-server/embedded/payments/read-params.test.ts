import { expect, it } from 'vitest';
import * as z from 'zod';
import { metadata, readParams } from './read-params.ts';

const item = z.strictObject({ price: z.string(), quantity: z.string() });
const schema = z.strictObject({
  mode: z.string(),
  line_items: z.array(item),
  metadata,
  empty: z.string(),
});

it('reads lists and records out of bracketed names', () => {
  expect(
    readParams(
      schema,
      'mode=subscription&line_items[0][price]=price_1&line_items[0][quantity]=1&metadata[a%26b]=c+d&expand[]=x&expand[]=y&empty=',
    ),
  ).toEqual({
    mode: 'subscription',
    line_items: [{ price: 'price_1', quantity: '1' }],
    metadata: { 'a&b': 'c d' },
    empty: '',
  });
});

it('is not talked into another prototype', () => {
  const read = readParams(
    z.object({ metadata }),
    '__proto__[admin]=1&metadata[__proto__][admin]=2&metadata[constructor]=3',
  );
  expect(read).toEqual({ metadata: { constructor: '3' } });
  expect((read as { admin?: unknown }).admin).toBeUndefined();
  expect((read.metadata as { admin?: unknown }).admin).toBeUndefined();
});
