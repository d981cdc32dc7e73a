import * as z from 'zod/mini';
import type { OnboardingForm } from './onboarding-form.ts';

/** Where the browser keeps the half-filled form (specification section 2, "/become-tradie"). The logo lies in the person's database. */
export const onboardingDraftKey = 'dwang-onboarding';

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

/** This person's draft; undefined where there is none, it is another person's, or the browser keeps nothing. */
export function readOnboardingDraft(store: TextStore, userId: string): OnboardingForm | undefined {
  try {
    const draft = draftSchema.safeParse(JSON.parse(store.getItem(onboardingDraftKey) ?? 'null'));
    return draft.success && draft.data.userId === userId ? draft.data.form : undefined;
  } catch {
    // A browser that forbids storage, or text that is not ours: the form begins empty, which is what is seen.
    return undefined;
  }
}

/** The person leaves: their draft goes, and nobody else's. */
export function dropOnboardingDraft(store: TextStore, userId: string): void {
  const draft = draftSchema.safeParse(parsed(store.getItem(onboardingDraftKey)));
  if (!draft.success || draft.data.userId === userId) store.removeItem(onboardingDraftKey);
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    // Not ours: it counts as nothing.
    return null;
  }
}

/** False where the browser would not keep it: say so, for the person relies on it. */
export function keepOnboardingDraft(store: TextStore, userId: string, form: OnboardingForm): boolean {
  try {
    store.setItem(onboardingDraftKey, JSON.stringify({ userId, form }));
    return true;
  } catch {
    return false;
  }
}
