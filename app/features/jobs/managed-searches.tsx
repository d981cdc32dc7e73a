import type { Search } from '../../../shared/tables/index.ts';
import { useApp } from '../../context/app-context.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { whyNotFetched } from '../../words/reach-words.ts';
import { useUnsentSearches } from './use-searches.ts';

type ManagedSearchesProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly searches: readonly Search[] | undefined;
  readonly lists: ReferenceLists;
  readonly ownTrades: readonly string[];
};

const loadDialog = () => import('./searches-dialog.tsx');

/**
 * All saved searches over the page. Not a part of the row of chips, whose place changes with the width of the window.
 */
export function ManagedSearches({ isOpen, onClose, searches, lists, ownTrades }: ManagedSearchesProps) {
  const { toasts, connection } = useApp();
  const unsent = useUnsentSearches();
  const dialog = useDeferredImport(isOpen, loadDialog, () => {
    onClose();
    toasts.show({ title: 'Error', description: whyNotFetched(connection.current().kind), variant: 'destructive' });
  });
  if (!isOpen || dialog === undefined || searches === undefined) return null;
  return <dialog.SearchesDialog {...{ searches, unsent, lists, ownTrades, onClose }} />;
}
