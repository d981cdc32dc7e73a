import { isHourWithin, nextNzHour, nzHour } from '../../shared/lib/nz-time.ts';

interface AlertLimits {
  quietFrom: number;
  quietTo: number;
  /** Messages a day, at most. */
  alertsPerDay: number;
}

/** When the morning's message is sent to a person without quiet hours, and the morning’s mail to every person. */
export const morningHour = 7;

/**
 * When a person may be told next: now, at the end of their quiet hours, or, after as many messages as they want in a
 * day, next morning. What comes until then is gathered into one message.
 */
export function nextSendTime(
  { quietFrom, quietTo, alertsPerDay }: AlertLimits,
  { now, sentToday }: { now: Date; sentToday: number },
): Date {
  const isQuiet = (at: Date) => isHourWithin(nzHour(at), quietFrom, quietTo);
  if (sentToday >= alertsPerDay) return nextNzHour(now, quietFrom === quietTo ? morningHour : quietTo);
  return isQuiet(now) ? nextNzHour(now, quietTo) : now;
}
