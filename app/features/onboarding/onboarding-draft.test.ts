import { describe, expect, it } from 'vitest';
import {
  dropOnboardingDraft,
  keepOnboardingDraft,
  onboardingDraftKey,
  readOnboardingDraft,
} from './onboarding-draft.ts';
import { emptyOnboarding } from './onboarding-form.ts';

function textStore(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
}

const form = { ...emptyOnboarding, nzbn: '9429040402543', businessName: 'Kererū Building' };

describe('the onboarding draft', () => {
  it('comes back to the person who wrote it [§2 /become-tradie]', () => {
    const store = textStore();
    expect(keepOnboardingDraft(store, 'aroha', form)).toBe(true);
    expect(readOnboardingDraft(store, 'aroha')).toEqual(form);
  });

  it('is not shown to another person on the same device', () => {
    const store = textStore();
    keepOnboardingDraft(store, 'aroha', form);
    expect(readOnboardingDraft(store, 'wiremu')).toBeUndefined();
  });

  it('stays where another person begins theirs, and where they leave', () => {
    const store = textStore();
    keepOnboardingDraft(store, 'aroha', form);
    keepOnboardingDraft(store, 'wiremu', { ...form, businessName: 'Southern Spouting' });
    expect(readOnboardingDraft(store, 'aroha')).toEqual(form);
    expect(readOnboardingDraft(store, 'wiremu')?.businessName).toBe('Southern Spouting');
    dropOnboardingDraft(store, 'wiremu');
    expect(readOnboardingDraft(store, 'aroha')).toEqual(form);
    expect(readOnboardingDraft(store, 'wiremu')).toBeUndefined();
  });

  describe('as an older app kept it, in one slot for all', () => {
    const before = 'dwang-onboarding';
    const left = (userId: string) => {
      const store = textStore();
      store.setItem(before, JSON.stringify({ userId, form }));
      return store;
    };

    it('comes back to its person, and to no other', () => {
      expect(readOnboardingDraft(left('aroha'), 'aroha')).toEqual(form);
      expect(readOnboardingDraft(left('aroha'), 'wiremu')).toBeUndefined();
    });

    it('gives way to what its person typed since', () => {
      const store = left('aroha');
      keepOnboardingDraft(store, 'aroha', { ...form, businessName: 'Kererū Decks' });
      expect(readOnboardingDraft(store, 'aroha')?.businessName).toBe('Kererū Decks');
    });

    it('is dropped with its person, and with no other', () => {
      const store = left('aroha');
      dropOnboardingDraft(store, 'wiremu');
      expect(readOnboardingDraft(store, 'aroha')).toEqual(form);
      dropOnboardingDraft(store, 'aroha');
      expect(store.getItem(before)).toBeNull();
    });

    it('is dropped at any log-out where it does not say whose it is', () => {
      const store = textStore();
      store.setItem(before, 'not json');
      dropOnboardingDraft(store, 'wiremu');
      expect(store.getItem(before)).toBeNull();
    });
  });

  it.each(['', 'not json', '{}', '{"userId":"aroha","form":{"nzbn":4}}'])('begins anew where %j stands', (text) => {
    const store = textStore();
    store.setItem(onboardingDraftKey('aroha'), text);
    expect(readOnboardingDraft(store, 'aroha')).toBeUndefined();
  });

  it('says so where the browser keeps nothing', () => {
    const forbidding = {
      ...textStore(),
      setItem: () => {
        throw new DOMException('No room', 'QuotaExceededError');
      },
    };
    expect(keepOnboardingDraft(forbidding, 'aroha', form)).toBe(false);
  });
});
