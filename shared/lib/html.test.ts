import { expect, it } from 'vitest';
import { html, trustedHtml, xml } from './html.ts';

it('shows what a person wrote as they wrote it, in text and in an attribute', () => {
  const wrote = `<img src=x onerror="alert('1')"> & more`;
  const shown = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; more';
  expect(String(html`<p title="${wrote}">${wrote}</p>`)).toBe(`<p title="${shown}">${shown}</p>`);
});

// Under this name the formatter adds no white space to a template.
it('puts templates into templates, one by one and as lists, and nothing where there is nothing', () => {
  const items = ['a', '<b>'].map((one) => xml`<li>${one}</li>`);
  expect(String(xml`<ul>${items}</ul>${undefined}${[1, ' & ', xml`<br/>`]}`)).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>1 &amp; <br/>',
  );
  expect(String(xml``)).toBe('');
});

it('takes a file of ours as it is', () => {
  expect(String(xml`<style>${trustedHtml('a > b { content: "&"; }')}</style>`)).toBe(
    '<style>a > b { content: "&"; }</style>',
  );
});
