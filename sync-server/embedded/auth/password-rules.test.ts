import { expect, it } from 'vitest';
import { checkNewPassword } from './password-rules.ts';

it.each([
  'kiwi123',
  'KIWI2026!',
  '123kiwi',
  'allblacks',
  'All-Blacks1',
  'aotearoa7',
  'Aotearoa2026',
  'newzealand',
  'New Zealand 1',
  'christchurch99',
  'Māori2026',
  'kia ora 123',
  'pōhutukawa',
  'tradie1',
  'dwang2026',
])('rejects %j, which a guesser in this country tries first', async (password) => {
  await expect(checkNewPassword(password, 'mere@example.nz')).rejects.toMatchObject({
    status: 422,
    code: 'weak_password',
    weakReasons: ['pwned'],
  });
});

it.each(['kiwi fence gate', 'kiwifruit-spade', '7kqz-aotearoa-vm', 'haka & 3 jandals', 'ottersouthwind'])(
  'takes %j, of which such a word is only a part',
  async (password) => {
    await expect(checkNewPassword(password, 'mere@example.nz')).resolves.toBeUndefined();
  },
);
