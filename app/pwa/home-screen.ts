/**
 * Whether this browser's Share sheet has "Add to Home Screen": Safari's on an iPhone or iPad, and since iOS 16.4 that
 * of Chrome, Firefox and Edge there (docs/browsers.md); not what an app shows of a link within itself. An iPad says
 * that it is a Mac, and of no system, but no Mac has a screen to touch.
 */
export function hasHomeScreen({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  if (!/\((iP|Mac)/.test(userAgent) || maxTouchPoints < 2) return false;
  return /(Cr|Fx|Edg)iOS/.test(userAgent)
    ? !/ OS (\d|1[0-5]|16_[0-3])[_ ]/.test(userAgent)
    : /Version\/[\d.]+ (Mobile\/\w+ )?Safari/.test(userAgent);
}
