import { expect, test } from 'vitest';
import { contactDetailsIn, withoutContactDetails } from './contact-details.ts';

const found = (text: string) => contactDetailsIn(text).map((detail) => [detail.kind, detail.text]);
const cleaned = (text: string) => withoutContactDetails(text, contactDetailsIn(text));

test.each([
  ['Ring 027 555 0142 after five', 'phone', '027 555 0142'],
  ['Ring (06) 323 1234.', 'phone', '(06) 323 1234'],
  ['txt +64 21 123 4567', 'phone', '+64 21 123 4567'],
  ['0211234567', 'phone', '0211234567'],
  ['0800 83 83 83', 'phone', '0800 83 83 83'],
  ['or mail ana.w+jobs@example.co.nz, thanks', 'email', 'ana.w+jobs@example.co.nz'],
  ['write to ana (at) example.co.nz', 'email', 'ana (at) example.co.nz'],
  ['write to ana.w[at]example.nz.', 'email', 'ana.w[at]example.nz'],
  ['I am jane.doe at gmail.com', 'email', 'jane.doe at gmail.com'],
  ['post it to PO Box 123, Gore', 'address', 'PO Box 123'],
  ['post it to P.O. box 40123', 'address', 'P.O. box 40123'],
  ['It is at 12 Manchester Street, Feilding', 'address', '12 Manchester Street'],
  ['3/45 Te Awe Awe St', 'address', '3/45 Te Awe Awe St'],
  ['8B Ōtaki Gorge Road', 'address', '8B Ōtaki Gorge Road'],
  ['we are at 12 manchester street', 'address', '12 manchester street'],
])('contact details are recognised: %s', (text, kind, detail) => {
  expect(found(text)).toEqual([[kind, detail]]);
});

test.each([
  'About 16 m of spouting, 90 x 45 H3.2, 2400 long',
  'Budget $1,800 to 2,500.00, since 21 11 2026',
  '20 metres from the road, 3 coats, close to the drive',
  'Fence runs 12 m along the street',
  'Model 64 2400 0000 00 00 00 00 00',
  'NZBN 9429040402544',
  'ISO 0.045 0.060 0.075 0.090',
  'Rates @ 45 an hour',
  '4 windows on the old avenue side',
  'As seen at example.co.nz, or look at trademe.co.nz',
  'The PO boxes outside, 12 of them',
])('what only looks like one is left alone: %s', (text) => {
  expect(found(text)).toEqual([]);
});

test('all of them are taken out, and no gap is left', () => {
  expect(cleaned('The gate sags. Ring 027 555 0142 or mail ana@example.nz , any time.')).toBe(
    'The gate sags. any time.',
  );
  expect(cleaned('Two lines.\n12 Manchester Street\nIt drags.')).toBe('Two lines.\n\nIt drags.');
  expect(cleaned('Nothing to take out.')).toBe('Nothing to take out.');
});

test('the rest of the text stays as it was typed', () => {
  expect(cleaned('Sand .5 mm off , ring 0211234567 at 9')).toBe('Sand .5 mm off , ring at 9');
});

test.each([
  ['Fix it. Mail bob@test.nz or 12 Rimu Street, Winton.', 'Fix it. Winton.'],
  ['A good job, call 021 555 1234', 'A good job'],
  ['A good job; call me on 021 555 1234.', 'A good job.'],
  ['Two days - txt: 021 555 1234\nIt drags.', 'Two days\nIt drags.'],
  ['Please contact me on 021 555 1234. It drags.', 'It drags.'],
  ['It sags. Call 021 555 1234 or 03 218 1234 after five.', 'It sags. Call after five.'],
  ['It sags, and the post is at 12 Rimu Street.', 'It sags, and the post is.'],
  ['Leave it in the shed or at 12 Rimu Street, thanks', 'Leave it in the shed, thanks'],
  ['Call 021 555 1234, thanks', 'thanks'],
  ['Fence by 021 555 1234', 'Fence'],
  ['Gate by Ana 021 555 1234', 'Gate by Ana'],
  ['Painting via ana@example.nz', 'Painting'],
  ['I live at 12 Hill St. It drags.', 'It drags.'],
  ['We are at 12 Hill Street, thanks', 'thanks'],
  ['The fence at 12 Hill Street is broken', 'The fence is broken'],
  ['Walk from 12 Hill Street to 14 Hill Street.', 'Walk.'],
  ['Come to 12 Hill Street tomorrow', 'Come tomorrow'],
])('what only introduced it goes with it: %s', (text, rest) => {
  expect(cleaned(text)).toBe(rest);
});

test.each([
  ['I live at 12 Hill St, Feilding.', 'I live in Feilding.'],
  ['At 12 Hill St, Palmerston North 4410. It drags.', 'In Palmerston North 4410. It drags.'],
  ['The gate at 12 Manchester Street, Feilding, sags', 'The gate in Feilding, sags'],
  ['Bring it to 12 Hill St, Ōtaki', 'Bring it to Ōtaki'],
  ['Bring it to 12 Hill St, Thanks.', 'Bring it, Thanks.'],
  ['We are at 12 Hill St, Please ring first.', 'Please ring first.'],
])('the town after a street address stays readable: %s', (text, rest) => {
  expect(cleaned(text)).toBe(rest);
});

test.each([
  ['It sags. Ring 027 555 0142 after five.', 'It sags. Ring after five.'],
  ['Stand by the gate 021 555 1234', 'Stand by the gate'],
  ['It hangs on my phone 021 555 1234.', 'It hangs on my phone.'],
  ['The carport 12 Rimu Street', 'The carport'],
  ['The current is on, and off 021 555 1234.', 'The current is on, and off.'],
])('no other word goes: %s', (text, rest) => {
  expect(cleaned(text)).toBe(rest);
});

test('a text of the greatest length, of nothing but what almost is one, takes no time', () => {
  const begun = performance.now();
  for (const pump of ['0', '0 ', '1 Aa ', 'a@', 'a.', '1/', '+64 ', "A' "])
    contactDetailsIn(pump.repeat(5_000 / pump.length));
  expect(performance.now() - begun).toBeLessThan(1_000);
});
