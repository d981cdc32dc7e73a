/*
 * What is run in the page to find parts of it. Each function is sent as its own source text, so none uses anything from
 * outside of itself but `document`, `window` and what `installFinder` has left there.
 */

/** A pattern as text: a regular expression's source and flags. */
export interface Pattern {
  source: string;
  flags: string;
}

/** One step of a search; each step looks in what the step before it has found. */
export type Step =
  | { by: 'role'; role: string; name?: Pattern; level?: number }
  | { by: 'text' | 'label'; pattern: Pattern }
  | { by: 'css'; selector: string }
  | { by: 'nth'; at: number }
  | { by: 'has'; text: Pattern };

export interface Finder {
  find(steps: readonly Step[]): HTMLElement[];
  isSeen(element: Element): boolean;
  /**
   * Ends soon after the page has changed, and after so many ms at the latest: what is seen changes by styles and
   * scrolling too.
   */
  changed(most: number): Promise<void>;
  /** Lets the next press through where it meets one of these, and holds it back where the page has moved meanwhile. */
  watchPress(targets: readonly Element[]): void;
  /** What came of it. */
  press?: 'watched' | 'met' | 'missed' | 'released';
}

interface Queries {
  queryAllByRole(
    container: HTMLElement,
    role: string,
    options: { name?: (name: string) => boolean; level?: number },
  ): HTMLElement[];
  queryAllByLabelText(container: HTMLElement, matches: (text: string) => boolean): HTMLElement[];
}

type WithFinder = Window & { TestingLibraryDom: Queries; testFinder?: Finder };

/** Runs in the page, once for each document, behind the source of @testing-library/dom. */
export function installFinder(): void {
  const inPage = window as unknown as WithFinder;
  const queries = inPage.TestingLibraryDom;
  const words = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  const matcher = ({ source, flags }: { source: string; flags: string }) => {
    const expression = new RegExp(source, flags);
    return (text: string) => expression.test(words(text));
  };
  const isText = (element: Element) => !element.matches('script, style, noscript, template, head, head *');

  const look = (within: Element, step: Step): HTMLElement[] => {
    const container = within as HTMLElement;
    switch (step.by) {
      case 'role':
        return queries.queryAllByRole(container, step.role, {
          ...(step.name === undefined ? {} : { name: matcher(step.name) }),
          ...(step.level === undefined ? {} : { level: step.level }),
        });
      case 'label':
        return queries.queryAllByLabelText(container, matcher(step.pattern));
      case 'css':
        return [...container.querySelectorAll<HTMLElement>(step.selector)];
      case 'text': {
        const isMatch = matcher(step.pattern);
        const all = [...container.querySelectorAll<HTMLElement>('*')].filter(
          (element) => isText(element) && isMatch(element.textContent),
        );
        // The innermost of those that hold the text.
        return all.filter((element) => !all.some((other) => other !== element && element.contains(other)));
      }
      default:
        return [];
    }
  };

  const find = (steps: readonly Step[]): HTMLElement[] => {
    let found: HTMLElement[] = [document.documentElement];
    for (const step of steps) {
      if (step.by === 'nth') {
        const one = found.at(step.at);
        found = one === undefined ? [] : [one];
      } else if (step.by === 'has') {
        const isMatch = matcher(step.text);
        found = found.filter((element) => isMatch(element.textContent));
      } else {
        found = [...new Set(found.flatMap((element) => look(element, step)))];
      }
    }
    return found;
  };
  const changed = (most: number) =>
    new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        // What changes together is looked at together.
        setTimeout(resolve, 50);
      });
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      setTimeout(() => {
        observer.disconnect();
        resolve();
      }, most);
    });
  const gesture = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
  const watchPress = (targets: readonly Element[]) => {
    finder.press = 'watched';
    // What opens something with the press itself has it beneath the pointer by the time of the release.
    const isDoneAtOnce = targets.some((target) => target.matches('[aria-haspopup], [aria-expanded]'));
    const inspect = (event: Event) => {
      const isMet = targets.some((target) => target.contains(event.target as Node));
      if (finder.press === 'watched') finder.press = isMet ? 'met' : 'missed';
      // Moved between press and release: neither does anything, and nothing is held back of either.
      if (event.type === 'pointerup' && finder.press === 'met' && !isMet && !isDoneAtOnce) finder.press = 'released';
      if (finder.press === 'missed') {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      if (event.type === 'click') gesture.forEach((name) => window.removeEventListener(name, inspect, true));
    };
    gesture.forEach((name) => window.addEventListener(name, inspect, true));
  };
  const finder: Finder = { find, isSeen, changed, watchPress };
  Object.defineProperty(window, 'testFinder', { value: finder, configurable: true });
}

/** What is done with the elements found; a `busy` answer is tried again until there is time no more. */
export type Answer<Value = unknown> = { done: Value } | { busy: string } | { wrong: string };

export const withFound = {
  count: (found: HTMLElement[]): Answer => ({ done: found.length }),
  areSeen: (found: HTMLElement[], finder: Finder): Answer => ({
    done: found.map((element) => finder.isSeen(element)),
  }),
  /** Whether there is one in this state, or none where none shall be. */
  isSo: (found: HTMLElement[], finder: Finder, state: 'attached' | 'detached' | 'visible' | 'hidden'): Answer => {
    if (found.length > 1 && state !== 'detached') return { wrong: `${found.length} parts are so` };
    const isSeen = found[0] !== undefined && finder.isSeen(found[0]);
    const isSo = { attached: found.length > 0, detached: found.length === 0, visible: isSeen, hidden: !isSeen };
    return isSo[state] ? { done: null } : { busy: `not ${state}` };
  },
  text: ([element]: HTMLElement[]): Answer => ({ done: element?.innerText ?? '' }),
  value: ([element]: HTMLElement[]): Answer => ({ done: (element as HTMLInputElement).value }),
  attribute: ([element]: HTMLElement[], _finder: Finder, name: string): Answer => ({
    done: element?.getAttribute(name) ?? null,
  }),
  enabled: ([element]: HTMLElement[]): Answer => ({
    done: element?.matches(':disabled, [aria-disabled=true] , [aria-disabled=true] *') !== true,
  }),
  focus: ([element]: HTMLElement[]): Answer => {
    element?.focus();
    return { done: document.activeElement === element };
  },
  /** Selects what is in a field, as a person does who is about to type over it. */
  fill: ([element]: HTMLElement[], finder: Finder, text: string): Answer => {
    const field = element as HTMLInputElement | HTMLTextAreaElement;
    if (!finder.isSeen(field) || field.matches(':disabled, [readonly]')) return { busy: 'not to be written in yet' };
    field.focus();
    field.select();
    // As if typed: the browser's own editing, with its events.
    if (field.value !== '' && text === '') document.execCommand('delete');
    else if (text !== '') document.execCommand('insertText', false, text);
    return field.value === text ? { done: null } : { busy: `holds “${field.value}”` };
  },
  select: ([element]: HTMLElement[], _finder: Finder, wanted: string): Answer => {
    const list = element as HTMLSelectElement;
    const option = [...list.options].find(({ value, label }) => value === wanted || label.trim() === wanted);
    if (option === undefined || list.disabled) return { busy: `no option “${wanted}”` };
    list.focus();
    option.selected = true;
    list.dispatchEvent(new Event('input', { bubbles: true }));
    list.dispatchEvent(new Event('change', { bubbles: true }));
    return { done: null };
  },
  /**
   * Where to press so that this element gets it: in its middle, or on its label where a tick or a file input is itself
   * too small.
   */
  point: async ([element]: HTMLElement[], finder: Finder): Promise<Answer> => {
    const targets = [element, ...((element as HTMLInputElement).labels ?? [])].filter(
      (target) => target !== undefined && finder.isSeen(target),
    ) as HTMLElement[];
    if (targets.length === 0) return { busy: 'not to be seen' };
    if (element?.matches(':disabled, [aria-disabled=true], [aria-disabled=true] *')) return { busy: 'disabled' };
    const middleOf = (target: HTMLElement) => {
      const box = target.getClientRects()[0] ?? target.getBoundingClientRect();
      return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    };
    let hidden = '';
    for (const target of targets) {
      target.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const before = middleOf(target);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const now = middleOf(target);
      if (before.x !== now.x || before.y !== now.y) return { busy: 'it moves' };
      const hit = document.elementFromPoint(now.x, now.y);
      if (hit !== null && targets.some((one) => one.contains(hit))) {
        finder.watchPress(targets);
        return { done: now };
      }
      hidden = hit?.outerHTML.slice(0, 80) ?? 'the edge of the window';
    }
    return { busy: `behind ${hidden}` };
  },
};

export type What = keyof typeof withFound;
