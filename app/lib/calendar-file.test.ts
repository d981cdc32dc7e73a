import { expect, test } from 'vitest';
import { calendarFile } from './calendar-file.ts';

const event = {
  uid: '018f-mark@dwang',
  title: 'Dwang: Roof leak',
  url: 'https://dwang.example/job/018f',
  at: '2026-11-24T18:00:00.000Z',
  now: '2026-11-23T20:00:30.250Z',
};
const unfolded = (file: string) => file.replaceAll('\r\n ', '').split('\r\n');

test('a calendar reads one event that rings when it begins', () => {
  expect(unfolded(calendarFile(event))).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Dwang//Reminders//EN',
    'CALSCALE:GREGORIAN',
    'BEGIN:VEVENT',
    'UID:018f-mark@dwang',
    'DTSTAMP:20261123T200030Z',
    'DTSTART:20261124T180000Z',
    'DURATION:PT15M',
    'SUMMARY:Dwang: Roof leak',
    'DESCRIPTION:https://dwang.example/job/018f',
    'URL:https://dwang.example/job/018f',
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Dwang: Roof leak',
    'TRIGGER:PT0S',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

test('what a homeowner wrote in a title ends no line and begins no property', () => {
  const file = calendarFile({ ...event, title: 'Roof; gutters, and\\or\r\nATTENDEE:mailto:x@y.nz\u0007' });
  expect(unfolded(file)).toContain('SUMMARY:Roof\\; gutters\\, and\\\\or\\nATTENDEE:mailto:x@y.nz ');
  expect(unfolded(file).filter((line) => line.startsWith('ATTENDEE'))).toEqual([]);
});

test('no line is longer than 75 octets, and no character is cut', () => {
  const title = `Whangārei 🔨${'ā'.repeat(100)}`;
  const file = calendarFile({ ...event, title });
  for (const line of file.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  expect(unfolded(file)).toContain(`SUMMARY:${title}`);
  expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});
