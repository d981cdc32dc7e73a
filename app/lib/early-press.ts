interface EarlyPress {
  readonly button: HTMLButtonElement | null;
  stop(): void;
}

/** Repeats the press that came before the page could answer it; `public/here.js` has kept it. Call once the page can. */
export function repeatEarlyPress(): void {
  const { earlyPress } = window as Window & { earlyPress?: EarlyPress };
  earlyPress?.stop();
  if (earlyPress?.button?.isConnected === true) earlyPress.button.click();
}
