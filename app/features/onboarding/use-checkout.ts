import { useCallback, useEffect, useState } from 'react';
import { minute } from '../../../shared/lib/durations.ts';
import { useApp, type AuthState } from '../../context/app-context.ts';
import { CallRejected, CallUnanswered } from '../../api/call.ts';
import { uploadFailed } from '../../photos/upload.ts';
import type { UploadRequest } from '../../photos/upload.ts';
import { errorWords } from '../../words/error-words.ts';
import { payloadOf, problemsAmong, type OnboardingForm, type OnboardingProblems } from './onboarding-form.ts';

/** The longest wait for the upload of a picture of 1 MB. */
const logoTimeoutMs = minute;
const failed = 'Failed to create checkout session';

type Submit = (form: OnboardingForm, keptLogo: string, logo: UploadRequest | undefined) => Promise<OnboardingProblems>;

/**
 * Logo into storage, then the payment page: the one way through onboarding, and it needs signal. Reports the server's
 * problems of a field.
 */
export function useCheckout(email: string): { isBusy: boolean; submit: Submit } {
  const { caller, otherPages, putLogo, toasts, authState } = useApp();
  const [isBusy, setBusy] = useState(false);

  // Back from the payment page by the browser's back button: the page is as it was left, busy.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && setBusy(false);
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  const submit = useCallback(
    async (form: OnboardingForm, keptLogo: string, logo: UploadRequest | undefined) => {
      const say = (description: string) => toasts.show({ title: 'Error', description, variant: 'destructive' });
      const person = personOf(authState.current());
      setBusy(true);
      try {
        let logoUrl = keptLogo;
        if (logo !== undefined) {
          const result = await putLogo(
            { path: logo.path, bytes: logo.bytes, type: logo.type },
            AbortSignal.timeout(logoTimeoutMs),
          );
          if (result.kind !== 'up') {
            say(result.kind === 'refused' ? result.message : uploadFailed);
            setBusy(false);
            return {};
          }
          logoUrl = result.ref;
          // The screens are another person's by now: nothing of this form may be sent as theirs (S9).
          if (personOf(authState.current()) !== person) return {};
        }
        const { url } = await caller.call('billing.checkout', {
          body: { tradieData: payloadOf(form, logoUrl), email },
        });
        otherPages.goTo(url);
        return {};
      } catch (error) {
        say(error instanceof CallUnanswered ? failed : errorWords(error, failed));
        setBusy(false);
        return error instanceof CallRejected ? problemsAmong(error.problem?.details?.['fields']) : {};
      }
    },
    [caller, email, otherPages, putLogo, toasts, authState],
  );
  return { isBusy, submit };
}

const personOf = (authState: AuthState) => (authState.kind === 'signed-in' ? authState.context.userId : undefined);
