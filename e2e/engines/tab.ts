import type { Page } from '@playwright/test';

/*
 * What a test asks of a page, in whatever engine it is shown. Playwright's own page is one of these; `driven-tab.ts`
 * makes one of any engine that can run a script and press a key.
 */

type Role = Parameters<Page['getByRole']>[0];

export interface ByRole {
  name?: string | RegExp;
  exact?: boolean;
  level?: number;
}

export interface ByText {
  exact?: boolean;
}

interface Wait {
  timeout?: number;
}

/** Where something can be looked for: the page, or a part of it. */
export interface Area {
  getByRole(role: Role, options?: ByRole): Part;
  getByText(text: string | RegExp, options?: ByText): Part;
  getByLabel(text: string | RegExp, options?: ByText): Part;
  locator(selector: string): Part;
}

/**
 * What is found there, looked for anew with each call. What acts on one part waits until there is one, and throws where
 * there are several.
 */
export interface Part extends Area {
  first(): Part;
  last(): Part;
  nth(at: number): Part;
  filter(options: { hasText: string | RegExp }): Part;
  all(): Promise<Part[]>;
  count(): Promise<number>;
  innerText(): Promise<string>;
  inputValue(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
  isVisible(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  waitFor(options?: Wait & { state?: 'attached' | 'detached' | 'visible' | 'hidden' }): Promise<void>;
  click(): Promise<void>;
  focus(): Promise<void>;
  fill(text: string): Promise<void>;
  check(options?: { force?: boolean }): Promise<void>;
  pressSequentially(text: string): Promise<void>;
  selectOption(valueOrLabel: string): Promise<unknown>;
  setInputFiles(files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void>;
}

export interface Tab extends Area {
  url(): string;
  goto(address: string): Promise<unknown>;
  goBack(): Promise<unknown>;
  reload(): Promise<unknown>;
  close(): Promise<void>;
  /** Runs a script as it is. */
  evaluate(script: string): Promise<unknown>;
  evaluate<Result>(run: () => Result): Promise<Awaited<Result>>;
  evaluate<Result, Given>(run: (given: Given) => Result, given: Given): Promise<Awaited<Result>>;
  waitForFunction(run: () => unknown, given?: undefined, options?: Wait & { polling?: number }): Promise<unknown>;
  keyboard: { press(key: string): Promise<void> };
}
