interface CalendarEvent {
  /** The same for the same thing: a calendar that has it already changes it. */
  readonly uid: string;
  readonly title: string;
  readonly url: string;
  /** ISO instants. */
  readonly at: string;
  readonly now: string;
}

/** A file with one event that rings at its beginning (RFC 5545). */
export function calendarFile({ uid, title, url, at, now }: CalendarEvent): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Dwang//Reminders//EN',
    'CALSCALE:GREGORIAN',
    'BEGIN:VEVENT',
    `UID:${asText(uid)}`,
    `DTSTAMP:${asTime(now)}`,
    `DTSTART:${asTime(at)}`,
    'DURATION:PT15M',
    `SUMMARY:${asText(title)}`,
    `DESCRIPTION:${asText(url)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${asText(title)}`,
    'TRIGGER:PT0S',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
    .map(fold)
    .join('\r\n');
}

/** `20261124T180000Z` (3.3.5). */
const asTime = (instant: string) => `${new Date(instant).toISOString().replace(/[-:]/g, '').slice(0, 15)}Z`;

/** 3.3.11; other control characters have no place in it. */
function asText(text: string): string {
  return text
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replace(/\r\n|[\r\n]/g, '\\n')
    .replace(/\p{Cc}/gu, ' ');
}

const maxLineOctets = 75;

/** Lines of 75 octets at most, never cut inside a character; one that goes on begins with a space (3.1). */
function fold(line: string): string {
  const encoder = new TextEncoder();
  const lines = [''];
  let octets = 0;
  for (const character of line) {
    const more = encoder.encode(character).length;
    if (octets + more > maxLineOctets) {
      lines.push(' ');
      octets = 1;
    }
    lines[lines.length - 1] += character;
    octets += more;
  }
  return lines.join('\r\n');
}
