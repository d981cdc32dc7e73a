import { expect, it } from 'vitest';
import { readForm } from './read-form.ts';

it('reads lists and records out of bracketed names', () => {
  const form = readForm(
    'mode=subscription&line_items[0][price]=price_1&line_items[0][quantity]=1&metadata[a%26b]=c+d&expand[]=x&expand[]=y&empty=',
  );
  expect(form).toEqual({
    mode: 'subscription',
    line_items: [{ price: 'price_1', quantity: '1' }],
    metadata: { 'a&b': 'c d' },
    expand: ['x', 'y'],
    empty: '',
  });
});

it('is not talked into another prototype', () => {
  const form = readForm('__proto__[admin]=1&metadata[__proto__]=2');
  expect(Object.getPrototypeOf(form)).toBe(Object.prototype);
  expect((form as { admin?: unknown }).admin).toBeUndefined();
  expect(Object.hasOwn(form, '__proto__')).toBe(true);
});
