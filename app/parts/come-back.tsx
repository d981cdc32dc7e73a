import { useCallback, useEffect, useId, useState, type ReactNode } from 'react';
import type { AnswerOf, SentBodyOf } from '../../shared/api/index.ts';
import { must } from '../../shared/lib/must.ts';
import { cancelWords } from '../../shared/lib/price.ts';
import type { Tradie, User } from '../../shared/tables/index.ts';
import { CallRejected, CallUnanswered } from '../api/call.ts';
import { useApp, useSessionContext } from '../context/app-context.ts';
import { useLostBusiness } from '../hooks/use-person.ts';
import { useOfflineReason } from '../hooks/use-offline-reason.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { DisabledReason } from '../ui/disabled-reason.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { errorWords } from '../words/error-words.ts';
import { priceWords } from '../words/price-words.ts';
import { businessLost } from '../words/why-not-sent.ts';
import styles from './come-back.module.css';

interface Standing {
  /** What is owed. */
  readonly owed: string;
  readonly button: string;
}

/** What a tradie whose subscription doesn't run owes, and the button that leads back. */
export function standingOf(status: string | null): Standing {
  if (isOver(status)) {
    return {
      owed: `Your subscription has ended, and you owe nothing. Coming back is ${priceWords.month}, from the day you pay.`,
      button: 'Subscribe Again',
    };
  }
  if (status === 'active' || status === 'trialing')
    return { owed: 'We have not heard that it was paid on. See how it stands.', button: 'See My Subscription' };
  return {
    owed: `Your last payment of ${priceWords.once} (GST included) didn't go through. Pay it, and you carry on at once.`,
    button: 'Pay and Carry On',
  };
}

type ComeBackProps = {
  readonly user: User;
  /** More ways, after the button. */
  readonly children?: ReactNode;
};

/** What is owed, and the one tap to where it is paid. */
export function ComeBack({ user, children }: ComeBackProps) {
  const why = useId();
  const reason = useOfflineReason();
  const { isBusy, mustCheck, go } = useComeBack(user);
  const { owed, button } = standingOf(user.subscriptionStatus);
  return (
    <div className={styles.back}>
      <p>{owed}</p>
      <div className={styles.ways}>
        {mustCheck ? (
          <LinkButton href="/become-tradie" variant="primary">
            Check My Details
          </LinkButton>
        ) : (
          <Button
            variant="primary"
            icon="arrowRight"
            isBusy={isBusy}
            busyText="Processing..."
            isDisabled={reason !== undefined}
            aria-describedby={why}
            onPress={go}
          >
            {button}
          </Button>
        )}
        {children}
      </div>
      <DisabledReason id={why} reason={reason} />
      <p className={styles.terms}>
        {cancelWords}. The <TextLink href="/legal#tradies">terms for tradies</TextLink> apply.
      </p>
    </div>
  );
}

type Way = 'portal' | 'checkout';

/** Ended for good, so a new one begins; any other subscription is put right where it is managed. */
function isOver(status: string | null): boolean {
  return status === null || status === 'canceled' || status === 'incomplete_expired';
}

const failed = 'Failed to create checkout session';
/** The server knows it better: it never ended, or never began. */
const otherWay: Record<Way, string> = { portal: 'no-subscription', checkout: 'already-subscribed' };

/**
 * The way of a tradie whose subscription doesn't run back to the payment page, with the business that they have:
 * nothing is typed again.
 * `mustCheck`: the business can't be used as it is, and the form of Become a Tradie says why.
 */
function useComeBack(user: User): { isBusy: boolean; mustCheck: boolean; go: () => Promise<void> } {
  const { caller, otherPages, toasts } = useApp();
  const { db, userId } = useSessionContext();
  const [isBusy, setBusy] = useState(false);
  const [mustCheck, setMustCheck] = useState(false);

  // Back from the payment page by the browser's back button: the page is as it was left, busy.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && setBusy(false);
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  const go = useCallback(async () => {
    const ask = async (way: Way): Promise<AnswerOf<'billing.portal'>> => {
      if (way === 'portal') return caller.call('billing.portal');
      const business = must(await db.tradies.where('userId').equals(userId).first(), 'the business of a tradie');
      return caller.call('billing.checkout', { body: { tradieData: asTyped(business), email: user.email } });
    };
    const first: Way = isOver(user.subscriptionStatus) ? 'checkout' : 'portal';
    setBusy(true);
    try {
      const { url } = await ask(first).catch((error: unknown) => {
        if (!(error instanceof CallRejected) || error.problem?.code !== otherWay[first]) throw error;
        return ask(first === 'portal' ? 'checkout' : 'portal');
      });
      otherPages.goTo(url);
    } catch (error) {
      setBusy(false);
      if (error instanceof CallRejected && error.problem?.details?.['fields'] !== undefined) setMustCheck(true);
      const description = error instanceof CallUnanswered ? failed : errorWords(error, failed);
      toasts.show({ title: 'Error', description, variant: 'destructive' });
    }
  }, [caller, db, otherPages, toasts, user.email, user.subscriptionStatus, userId]);
  return { isBusy, mustCheck, go };
}

function asTyped(business: Tradie): SentBodyOf<'billing.checkout'>['tradieData'] {
  const { nzbn, businessName, businessAddress, contactPhone, description, logo, categoryIds, locationId } = business;
  const categories = JSON.stringify(categoryIds);
  return { nzbn, businessName, businessAddress, contactPhone, description, logo, categoryIds: categories, locationId };
}

/**
 * To a person who became a tradie after the backup that the server was restored from: no phone brings a business back.
 */
export function LostBusiness() {
  const business = useLostBusiness();
  if (business === undefined) return null;
  return (
    <Banner
      tone="warn"
      title={businessLost}
      announce="none"
      actions={
        <LinkButton href="/become-tradie" variant="primary">
          Become a Tradie
        </LinkButton>
      }
    >
      Fill in {business.businessName} again: you won’t be charged twice.
    </Banner>
  );
}
