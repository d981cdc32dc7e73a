import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useLocalWrite } from '../../hooks/use-local-write.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { useOfferAlerts } from '../../hooks/use-offer-alerts.ts';
import type { SearchTerms } from './search-terms.ts';

interface SaveSearch {
  readonly may: boolean;
  /** Keeps it on all devices of this person; false where it was not, and they were told why. */
  save(terms: SearchTerms, name: string): Promise<boolean>;
}

/** Filters under a name, in a tap. What is there now is not new. */
export function useSaveSearch(): SaveSearch {
  const { newId, now, toasts } = useApp();
  const { feed } = useSessionContext();
  const search = useMutation('search.save');
  const keep = useLocalWrite();
  const offerAlerts = useOfferAlerts();
  return {
    may: search.may,
    save: async (terms, name) => {
      const lookedUntil = feed
        .current()
        .rows.reduce<string | undefined>(
          (latest, { createdAt }) => (latest === undefined || createdAt > latest ? createdAt : latest),
          undefined,
        );
      const args = { id: newId(), name, ...terms, lookedUntil: lookedUntil ?? now() };
      if (!(await keep(() => search.enqueue(args)))) return false;
      toasts.show({ title: 'Search saved', description: name });
      offerAlerts({ after: 'search' });
      return true;
    },
  };
}
