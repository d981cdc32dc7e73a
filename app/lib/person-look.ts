/** How the product looks to one person on this device. */
export interface Look {
  readonly theme: 'usual' | 'sun';
  readonly text: 'usual' | 'large' | 'largest';
}

/** `usual large 0199…`: read by `public/here.js` before the first paint, so in localStorage. */
const lookKey = 'dwang-look';
const usual: Look = { theme: 'usual', text: 'usual' };

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What this person has chosen here; never what another one has. */
export function readLook(memory: Memory, userId: string): Look {
  const [theme, text, owner] = (memory.getItem(lookKey) ?? '').split(' ');
  if (owner !== userId) return usual;
  return {
    theme: theme === 'sun' ? 'sun' : 'usual',
    text: text === 'large' || text === 'largest' ? text : 'usual',
  };
}

export function chooseLook(memory: Memory, page: HTMLElement, userId: string, look: Look): void {
  memory.setItem(lookKey, `${look.theme} ${look.text} ${userId}`);
  show(page, look);
}

/** Shows the page as this person wants it. Undefined: no person is signed in, and nothing is kept of the one before. */
export function showLookOf(memory: Memory, page: HTMLElement, userId: string | undefined): void {
  if (userId === undefined) memory.removeItem(lookKey);
  show(page, userId === undefined ? usual : readLook(memory, userId));
}

function show({ dataset }: HTMLElement, { theme, text }: Look): void {
  dataset['theme'] = theme;
  dataset['text'] = text;
}
