interface WithBadge {
  setAppBadge?(count?: number): Promise<void>;
  clearAppBadge?(): Promise<void>;
}

/** The number on the installed app's icon: things that need the person. Nothing where there is no icon to put it on. */
export async function setAppBadge(navigator: object, count: number): Promise<void> {
  const { setAppBadge: set, clearAppBadge: clear } = navigator as WithBadge;
  try {
    if (count > 0) await set?.call(navigator, count);
    else await clear?.call(navigator);
  } catch {
    // The app is not installed, or may not set a badge; it says the same inside.
  }
}
