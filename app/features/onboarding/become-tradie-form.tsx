import type { FormEvent } from 'react';
import { useApp } from '../../context/app-context.ts';
import { useDirtyForm } from '../../hooks/use-dirty-form.ts';
import { useFieldProblems } from '../../hooks/use-field-problems.ts';
import { useOfflineReason } from '../../hooks/use-offline-reason.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FieldLock } from '../../ui/field-lock.tsx';
import { FormColumns } from '../../ui/form-columns.tsx';
import { FormMissing } from '../../ui/form-missing.tsx';
import { LogoField } from '../../ui/logo-field.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { DisabledReason } from '../../ui/disabled-reason.tsx';
import { priceWords } from '../../words/price-words.ts';
import styles from './become-tradie.module.css';
import { BusinessFields } from './business-fields.tsx';
import { phoneProblem, problemsOf, type OnboardingField, type OnboardingForm } from './onboarding-form.ts';
import { useCheckout } from './use-checkout.ts';
import { useOnboarding } from './use-onboarding.ts';

type BecomeTradieFormProps = {
  readonly begin: OnboardingForm;
  readonly email: string;
  /** The account has no name yet, and the server takes no payment for it. */
  readonly lacksProfile: boolean;
  /** The logo of a person who was a tradie before; '' for none. */
  readonly keptLogo: string;
  /** Was a tradie before: there is no second trial. */
  readonly isReturning: boolean;
};

export function BecomeTradieForm({ begin, email, lacksProfile, keptLogo, isReturning }: BecomeTradieFormProps) {
  const { toasts } = useApp();
  const lists = useReference();
  const reason = useOfflineReason();
  const { form, change, isKept, isTouched, logo, logoUrl, logoError, isShrinking, pickLogo, removeLogo } =
    useOnboarding(begin);
  const { isBusy, submit } = useCheckout(email);
  const { problems, listed, attempt, setProblems, report, clear } = useFieldProblems<OnboardingField>('onboarding', {});
  useDirtyForm(isTouched);

  const type = (changes: Partial<OnboardingForm>) => {
    if (isBusy) return;
    change(changes);
    clear(changes);
  };
  const leavePhone = () => {
    const problem = phoneProblem(form.contactPhone);
    if (problem === undefined) clear({ contactPhone: form.contactPhone });
    else setProblems((before) => ({ ...before, contactPhone: problem }));
  };
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isOff) return;
    const found = problemsOf(form, begin.businessName);
    const isValid = report(found);
    if (found.contactPhone !== undefined)
      toasts.show({ title: 'Invalid Phone Number', description: found.contactPhone, variant: 'destructive' });
    if (!isValid) return;
    const refused = await submit(form, keptLogo, logo);
    if (Object.keys(refused).length > 0) report(refused);
  };

  const missing = [
    ...(lacksProfile ? ['complete your profile'] : []),
    ...(form.hasAgreed ? [] : ['agree to the terms']),
    ...(isShrinking ? ['wait for your logo'] : []),
  ];
  const isOff = missing.length > 0 || reason !== undefined;

  return (
    <form onSubmit={onSubmit} noValidate>
      <FormColumns
        end={
          <>
            <p className={styles.price}>
              <strong>{isReturning ? priceWords.month : priceWords.withTrial}</strong>{' '}
              <span>({priceWords.before} a month)</span>
            </p>
            <div className={styles.go}>
              <Button
                type="submit"
                variant="primary"
                icon="arrowRight"
                isWide
                isDisabled={isOff}
                isBusy={isBusy}
                busyText="Processing..."
                aria-describedby="onboarding-missing onboarding-why"
              >
                Continue to Payment
              </Button>
              <FormMissing id="onboarding-missing" action="To continue" missing={missing} />
              <DisabledReason
                id="onboarding-why"
                reason={reason === undefined ? undefined : `${reason}. What you have filled in is kept.`}
              />
            </div>
          </>
        }
      >
        {!isKept && (
          <Banner tone="warn" title="This browser keeps no drafts">
            What you type here is lost when you leave the page.
          </Banner>
        )}
        {attempt > 0 && <ErrorSummary problems={listed} attempt={attempt} />}
        <FieldLock isLocked={isBusy}>
          <BusinessFields form={form} problems={problems} onChange={type} onLeavePhone={leavePhone} lists={lists} />
          <LogoField
            label="Company logo"
            name={form.businessName}
            src={logoUrl ?? keptLogo}
            isNew={logo !== undefined}
            hint="Homeowners see it beside your name. It is made smaller on this phone before it is sent."
            isBusy={isShrinking}
            error={logoError}
            isDisabled={isBusy}
            onPick={(file) => void pickLogo(file)}
            onRemove={() => void removeLogo()}
          />
          <Checkbox id="onboarding-hasAgreed" isSelected={form.hasAgreed} onChange={(hasAgreed) => type({ hasAgreed })}>
            I agree to the Terms of Use for tradies
          </Checkbox>
          {/* Beside the box and not in its words: a press anywhere on them ticks it. */}
          <p className={styles.terms}>
            <TextLink href="/legal#tradies">Read the Terms of Use for tradies</TextLink>
          </p>
        </FieldLock>
      </FormColumns>
    </form>
  );
}
