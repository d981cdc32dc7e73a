import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timeoutMs } from '../timeout-ms.ts';
import type { TabDriver } from './driver.ts';
import { installFinder, withFound, type Answer, type Pattern, type Step, type What } from './in-page.ts';
import type { Area, ByRole, ByText, Part, Tab } from './tab.ts';

const require = createRequire(import.meta.url);
const queries = readFileSync(
  join(require.resolve('@testing-library/dom'), '../@testing-library/dom.umd.min.js'),
  'utf8',
);
/** The queries' own wrapper looks for a module loader first, and finds none. */
const install = `() => { (function () { ${queries} }).call(window); (${installFinder.toString()})(); return ''; }`;

/** WebDriver's code points for keys that write nothing (https://w3c.github.io/webdriver/#keyboard-actions). */
const namedKeys: Record<string, string> = {
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  Shift: '\uE008',
  ArrowDown: '\uE015',
  ArrowUp: '\uE013',
  End: '\uE010',
  F8: '\uE038',
};

/**
 * Between two looks, in ms: the first and the longest from outside, the longest from inside. A look asks for every role
 * of the page, and takes time from what it waits for.
 */
const between = 50;
const longest = 400;

/** The end too: a dialog is the last thing of its page. */
const bothEnds = (text: string): string => (text.length <= 900 ? text : `${text.slice(0, 300)} … ${text.slice(-600)}`);

function patternOf(text: string | RegExp, isExact = false): Pattern {
  if (typeof text !== 'string') return { source: text.source, flags: text.flags };
  const source = RegExp.escape(text.replaceAll(/\s+/g, ' ').trim());
  return isExact ? { source: `^${source}$`, flags: '' } : { source, flags: 'i' };
}

/** A page of a browser that is driven from outside, in the words of Playwright. */
export function driveTab(driver: TabDriver, address: string): Tab {
  let url = address;
  const leftFiles: string[] = [];

  /** Runs a function of the page on what JSON can hold; an error of the page is one here. */
  const run = async <Value>(source: string, given: unknown): Promise<Value> => {
    const told = await driver.call(
      `async (given) => {
        const address = location.href;
        try { return JSON.stringify({ address, value: await (${source})(...JSON.parse(given)) }); }
        catch (error) { return JSON.stringify({ address, error: String(error?.stack ?? error) }); }
      }`,
      [JSON.stringify(given)],
    );
    const answer = JSON.parse(told) as { address: string; value?: Value; error?: string };
    url = answer.address;
    if (answer.error !== undefined) throw new Error(`In the page: ${answer.error}`);
    return answer.value as Value;
  };

  /**
   * Does this with what the steps find; where they do not find it yet, again whenever the page changes, for as long as
   * `patience`.
   */
  const withPart = async <Value>(
    steps: readonly Step[],
    what: What,
    given?: unknown,
    patience = 0,
  ): Promise<Answer<Value>> => {
    const source = `async (steps, isOne, given, patience) => {
      if (window.testFinder === undefined) return { install: true };
      const look = () => {
        const found = testFinder.find(steps);
        if (isOne && found.length > 1) return { wrong: found.length + ' parts are so: ' + found.slice(0, 3).map((part) => part.outerHTML.slice(0, 120)).join(', ') };
        if (isOne && found.length === 0) return { busy: 'not there' };
        return (${withFound[what].toString()})(found, testFinder, given);
      };
      for (const end = Date.now() + patience; ; await testFinder.changed(${longest})) {
        const answer = await look();
        if (!('busy' in answer) || Date.now() >= end) return answer;
      }
    }`;
    const isOne = what !== 'count' && what !== 'areSeen' && what !== 'isSo';
    const answer = await run<Answer<Value> | { install: true }>(source, [steps, isOne, given ?? null, patience]);
    if (!('install' in answer)) return answer;
    await driver.call(install, []);
    return withPart(steps, what, given, patience);
  };

  /** Tries until it is done. A page on its way to the next answers nothing for a moment. */
  const until = async <Value>(
    attempt: () => Promise<Answer<Value>>,
    said: string,
    timeout = timeoutMs,
  ): Promise<Value> => {
    const deadline = Date.now() + timeout;
    for (let why = '', wait = between; ; wait = Math.min(wait * 1.5, longest)) {
      const answer = await attempt().catch((error: unknown) => ({ busy: String(error) }));
      if ('done' in answer) return answer.done;
      if ('wrong' in answer) throw new Error(`${said}: ${answer.wrong}`);
      why = answer.busy;
      if (Date.now() > deadline) {
        const shown = await run<string>('() => document.body.innerText', []).catch(String);
        const logged = (driver.logged?.() ?? []).slice(-5).map((text) => `\nlogged: ${text}`);
        throw new Error(
          `${said}: ${why}, after ${timeout} ms, at ${url}: ${bothEnds(shown.replaceAll(/\s+/g, ' '))}${logged.join('')}`,
        );
      }
      await sleep(wait);
    }
  };

  const areaOf = (steps: readonly Step[]): Area => {
    const next = (step: Step) => partOf([...steps, step]);
    return {
      getByRole: (role, { name, exact, level }: ByRole = {}) =>
        next({
          by: 'role',
          role,
          ...(name === undefined ? {} : { name: patternOf(name, exact) }),
          ...(level === undefined ? {} : { level }),
        }),
      getByText: (text, { exact }: ByText = {}) => next({ by: 'text', pattern: patternOf(text, exact) }),
      getByLabel: (text, { exact }: ByText = {}) => next({ by: 'label', pattern: patternOf(text, exact) }),
      locator: (selector) => next({ by: 'css', selector }),
    };
  };

  const partOf = (steps: readonly Step[]): Part => {
    const said = steps.map((step) => JSON.stringify(step)).join(' ');
    const one = <Value>(what: What, given?: unknown) =>
      until(() => withPart<Value>(steps, what, given, driver.patience), said);
    const click = async (): Promise<void> => {
      const { x, y } = await one<{ x: number; y: number }>('point');
      await driver.clickAt(x, y);
      // A page that has gone on with the press has nothing to say of it any more.
      const came = await run<string>("() => window.testFinder?.press ?? 'met'", []).catch(() => 'met');
      if (came !== 'met') await click();
    };
    const seen = async () => {
      const answer = await withPart<boolean[]>(steps, 'areSeen');
      return 'done' in answer ? answer.done : [];
    };
    /** As `seen`; a page on its way to the next is asked again. */
    const seenSoon = () => until(async () => ({ done: await seen() }), said);
    const then = (step: Step) => partOf([...steps, step]);
    return {
      ...areaOf(steps),
      first: () => then({ by: 'nth', at: 0 }),
      last: () => then({ by: 'nth', at: -1 }),
      nth: (at) => then({ by: 'nth', at }),
      filter: ({ hasText }) => then({ by: 'has', text: patternOf(hasText) }),
      all: async () => (await seenSoon()).map((_, at) => then({ by: 'nth', at })),
      count: async () => (await seenSoon()).length,
      innerText: () => one('text'),
      inputValue: () => one('value'),
      getAttribute: (name) => one('attribute', name),
      isVisible: async () => (await seenSoon()).some((isSeen) => isSeen),
      isEnabled: () => one('enabled'),
      waitFor: async ({ state = 'visible', timeout = timeoutMs }: { state?: string; timeout?: number } = {}) => {
        const patience = Math.min(driver.patience, timeout);
        await until(() => withPart<null>(steps, 'isSo', state, patience), said, timeout);
      },
      click,
      focus: async () => void (await one('focus')),
      fill: async (text) => void (await one('fill', text)),
      check: click,
      pressSequentially: async (text) => {
        // As a person would: a window that is not in front gives no field the focus for the mere asking.
        await click();
        await driver.type([...text], 'in-turn');
      },
      selectOption: (wanted) => one('select', wanted),
      setInputFiles: async (files) => {
        await one('count');
        const folder = await mkdtemp(join(tmpdir(), 'dwang-files-'));
        const paths = files.map(({ name }) => join(folder, name));
        await Promise.all(files.map(({ buffer }, at) => writeFile(paths[at] ?? '', buffer)));
        await driver.giveFiles('(steps) => testFinder.find(JSON.parse(steps))[0]', [JSON.stringify(steps)], paths);
        leftFiles.push(folder);
      },
    };
  };

  return {
    ...areaOf([]),
    url: () => {
      // No event says when a page has changed its address: it is asked, for the next time.
      void run('() => 0', []).catch(() => undefined);
      return url;
    },
    goto: async (to) => {
      await driver.goto(to);
      url = to;
    },
    goBack: () => driver.goBack(),
    reload: () => driver.reload(),
    close: async () => {
      await driver.close();
      await Promise.all(leftFiles.map((folder) => rm(folder, { recursive: true, force: true })));
    },
    evaluate: <Result, Given>(source: string | ((given: Given) => Result), given?: Given) =>
      run<Awaited<Result>>(
        typeof source === 'string' ? `() => { ${source}\n}` : source.toString(),
        given === undefined ? [] : [given],
      ),
    waitForFunction: (source, _given, { timeout } = {}) =>
      until(
        async () => ((await run(source.toString(), [])) ? { done: null } : { busy: 'not so yet' }),
        source.toString().slice(0, 80),
        timeout,
      ),
    keyboard: {
      press: (key) =>
        driver.type(
          key.split('+').map((one) => namedKeys[one] ?? one),
          'together',
        ),
    },
  };
}
