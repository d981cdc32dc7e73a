/*
 * A document without layout says that every element is 0 px high: a list that scrolls in a container would show no row.
 * A container is as high as the window here.
 */
const heightOf = Object.getOwnPropertyDescriptor(Element.prototype, 'clientHeight');

Object.defineProperty(HTMLElement.prototype, 'clientHeight', {
  configurable: true,
  get(this: HTMLElement): unknown {
    return this.hasAttribute('data-scroll-restoration-id') ? window.innerHeight : (heightOf?.get?.call(this) ?? 0);
  },
});
