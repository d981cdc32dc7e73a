import * as z from 'zod/mini';
import type { OnboardingForm } from './onboarding-form.ts';

/**
 * The key of this person's half-filled form in the browser: one for each person, so that one person's typing does not
 * replace another's. The logo is in the person's database.
 */
export const onboardingDraftKey = (userId: string) => `${sharedKey}:${userId}`;

/** The one slot of all who use the browser, as an older app wrote it. The draft in it names its person. */
const sharedKey = 'dwang-onboarding';

type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const formSchema: z.ZodMiniType<OnboardingForm> = z.object({
  nzbn: z.string(),
  isNzbnVerified: z.boolean(),
  businessName: z.string(),
  businessAddress: z.string(),
  categoryIds: z.array(z.string()),
  contactPhone: z.string(),
  description: z.string(),
  place: z.object({ region: z.string(), locationId: z.string() }),
  hasAgreed: z.boolean(),
});
const draftSchema = z.object({ userId: z.string(), form: formSchema });
const ownedSchema = z.object({ userId: z.string() });

/** Has this person begun to become a tradie here? Costs no more than the look. */
export function hasOnboardingDraft(store: TextStore, userId: string): boolean {
  try {
    return store.getItem(onboardingDraftKey(userId)) !== null;
  } catch {
    return false;
  }
}

/** This person's draft; undefined where there is none, or the browser keeps nothing. */
export function readOnboardingDraft(store: TextStore, userId: string): OnboardingForm | undefined {
  for (const key of [onboardingDraftKey(userId), sharedKey]) {
    const draft = draftSchema.safeParse(read(store, key));
    if (draft.success && draft.data.userId === userId) return draft.data.form;
  }
  return undefined;
}

/** The subscription runs, or the person logs out: their draft is deleted, and no other person's. */
export function dropOnboardingDraft(store: TextStore, userId: string): void {
  store.removeItem(onboardingDraftKey(userId));
  const owned = ownedSchema.safeParse(read(store, sharedKey));
  if (!owned.success || owned.data.userId === userId) store.removeItem(sharedKey);
}

function read(store: TextStore, key: string): unknown {
  try {
    return JSON.parse(store.getItem(key) ?? 'null');
  } catch {
    // A browser that forbids storage, or text that does not parse: the form begins empty, which the person sees.
    return null;
  }
}

/** False where the browser would not keep it: say so, for the person relies on it. */
export function keepOnboardingDraft(store: TextStore, userId: string, form: OnboardingForm): boolean {
  try {
    store.setItem(onboardingDraftKey(userId), JSON.stringify({ userId, form }));
    return true;
  } catch {
    return false;
  }
}
