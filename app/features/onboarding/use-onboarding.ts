import { useCallback, useEffect, useState } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { logoPath } from '../../photos/put-logo.ts';
import { usePickedLogo, type PickedLogo } from '../../hooks/use-picked-logo.ts';
import { keepOnboardingDraft, readOnboardingDraft } from './onboarding-draft.ts';
import type { OnboardingForm } from './onboarding-form.ts';

/** A chosen logo, under the path it will have in storage, so that a second try is the same upload. */
interface DraftLogo extends PickedLogo {
  readonly path: string;
}

const logoKey = 'onboarding-logo';

/**
 * The form's values, kept on the device at each key: texts in local storage, the logo in the person's database.
 */
export function useOnboarding(begin: OnboardingForm) {
  const { now } = useApp();
  const { db, userId } = useSessionContext();
  const [kept] = useState(() => readOnboardingDraft(localStorage, userId));
  const [first] = useState(begin);
  const [form, setForm] = useState(kept ?? first);
  const [isKept, setKept] = useState(true);
  const [path, setPath] = useState<string>();
  const picked = usePickedLogo();
  const { pick, put } = picked;

  useEffect(() => {
    let isGone = false;
    // Texts that are gone were paid for, or never written: a logo alone is left over.
    if (kept === undefined) {
      db.drafts.delete(logoKey).catch(() => setKept(false));
      return;
    }
    db.drafts.get(logoKey).then(
      (draft) => {
        const logo = draft?.value as DraftLogo | undefined;
        if (isGone || logo === undefined) return;
        put(logo);
        setPath(logo.path);
      },
      // A logo that cannot be read back is chosen again; the texts do not wait for it.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [db, kept, put]);

  const change = useCallback(
    (changes: Partial<OnboardingForm>) => {
      setForm((before) => {
        const next = { ...before, ...changes };
        setKept(keepOnboardingDraft(localStorage, userId, next));
        return next;
      });
    },
    [userId],
  );
  const pickLogo = useCallback(
    async (file: File) => {
      const logo = await pick(file);
      if (logo === undefined) return;
      const value: DraftLogo = { ...logo, path: logoPath(Date.parse(now()), logo.name, logo.type) };
      setPath(value.path);
      change({});
      await db.drafts.put({ key: logoKey, value, savedAt: now() }).catch(() => setKept(false));
    },
    [change, db, now, pick],
  );
  const removeLogo = useCallback(async () => {
    put(undefined);
    setPath(undefined);
    await db.drafts.delete(logoKey).catch(() => setKept(false));
  }, [db, put]);

  return {
    form,
    change,
    /** Something was typed since the page was opened. */
    isTouched: form !== (kept ?? first),
    /** False where the browser would not keep the draft. */
    isKept,
    logo: picked.logo === undefined || path === undefined ? undefined : { ...picked.logo, path },
    logoUrl: picked.url,
    logoError: picked.error,
    isShrinking: picked.isShrinking,
    pickLogo,
    removeLogo,
  };
}
