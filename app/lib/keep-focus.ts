/** A link, told from others of the same address and words by how many of them come before it. */
interface NotedLink {
  readonly name: string;
  readonly at: number;
}

const nameOf = (link: HTMLAnchorElement) => `${link.getAttribute('href') ?? ''} ${link.textContent}`;

/**
 * Notes what has the focus in `from`. The function that comes back gives it to the same thing of what has replaced the
 * content meanwhile, in `to`: to what has its id; to the link of its address and words, or the button that has its
 * words; else to the last link before it that is still there.
 */
export function keepFocus(from: HTMLElement, to = from): () => void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !from.contains(focused)) return () => undefined;
  const focus = (element: HTMLElement | null | undefined) => element?.focus({ preventScroll: true });
  const { id, textContent: words } = focused;
  if (id !== '') return () => focus(document.getElementById(id));
  if (!(focused instanceof HTMLAnchorElement)) return () => undefined;
  const links = [...from.querySelectorAll('a')];
  const noted = links.slice(0, links.indexOf(focused) + 1).map((link, at, all): NotedLink => ({
    name: nameOf(link),
    at: all.slice(0, at).filter((other) => nameOf(other) === nameOf(link)).length,
  }));
  return () => {
    const here = [...to.querySelectorAll('a')];
    const same = ({ name, at }: NotedLink) => here.filter((link) => nameOf(link) === name)[at];
    const [own, ...before] = noted.toReversed();
    const button = [...to.querySelectorAll('button')].find(({ textContent }) => textContent === words);
    focus((own && same(own)) ?? button ?? before.map(same).find((link) => link !== undefined));
  };
}
