import { useCallback, useEffect, useState } from 'react';
import type { AnswerOf, SentBodyOf } from '../../shared/api/index.ts';
import { must } from '../../shared/lib/must.ts';
import type { Tradie, User } from '../../shared/tables/index.ts';
import { CallRejected, CallUnanswered } from '../api/call.ts';
import { useApp, useSessionContext } from '../context/app-context.ts';
import { faultWords } from '../words/fault-words.ts';

type Way = 'portal' | 'checkout';

/** Ended for good, so a new one begins; any other subscription is put right where it is managed. */
export function isOver(status: string | null): boolean {
  return status === null || status === 'canceled' || status === 'incomplete_expired';
}

const failed = 'Failed to create checkout session';
/** The server knows it better: it never ended, or never began. */
const otherWay: Record<Way, string> = { portal: 'no-subscription', checkout: 'already-subscribed' };

/**
 * The way of a tradie whose subscription doesn't run back to the payment page, with the business that they have: nothing is typed again.
 * `mustCheck`: the business can't be used as it is, and the form of Become a Tradie says why.
 */
export function useComeBack(user: User): { isBusy: boolean; mustCheck: boolean; go: () => Promise<void> } {
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
      const { url } = await ask(first).catch((fault: unknown) => {
        if (!(fault instanceof CallRejected) || fault.problem?.code !== otherWay[first]) throw fault;
        return ask(first === 'portal' ? 'checkout' : 'portal');
      });
      otherPages.goTo(url);
    } catch (fault) {
      setBusy(false);
      if (fault instanceof CallRejected && fault.problem?.details?.['fields'] !== undefined) setMustCheck(true);
      const description = fault instanceof CallUnanswered ? failed : faultWords(fault, failed);
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
