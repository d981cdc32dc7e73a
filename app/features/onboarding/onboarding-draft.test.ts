import { describe, expect, it } from 'vitest';
import { keepOnboardingDraft, onboardingDraftKey, readOnboardingDraft } from './onboarding-draft.ts';
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
  it('comes back to the person who wrote it', () => {
    const store = textStore();
    expect(keepOnboardingDraft(store, 'aroha', form)).toBe(true);
    expect(readOnboardingDraft(store, 'aroha')).toEqual(form);
  });

  it('is not shown to another person on the same device', () => {
    const store = textStore();
    keepOnboardingDraft(store, 'aroha', form);
    expect(readOnboardingDraft(store, 'wiremu')).toBeUndefined();
  });

  it.each(['', 'not json', '{}', '{"userId":"aroha","form":{"nzbn":4}}'])('begins anew where %j stands', (text) => {
    const store = textStore();
    store.setItem(onboardingDraftKey, text);
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
