import { useRef, useState } from 'react';
import { maxSearches } from '../../../shared/tables/fields.ts';
import type { Search } from '../../../shared/tables/index.ts';
import { useApp } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { useLocalWrite } from '../../hooks/use-local-write.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { ItemStateBadge } from '../../parts/item-state-badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { words } from '../../words/common-words.ts';
import { SearchForm } from './search-form.tsx';
import { termsWords } from './search-terms.ts';
import styles from './searches-dialog.module.css';

type SearchesDialogProps = {
  readonly searches: readonly Search[];
  readonly unsent: ReadonlySet<string>;
  readonly lists: ReferenceLists;
  /** Ids of the trades of this tradie's business. */
  readonly ownTrades: readonly string[];
  readonly onClose: () => void;
};

/** All saved searches: named, changed, moved and deleted, without signal as well. */
export function SearchesDialog({ searches, unsent, lists, ownTrades, onClose }: SearchesDialogProps) {
  const [editedId, setEditedId] = useState<string>();
  const [said, setSaid] = useState('');
  const isHeld = useWatched(useApp().dirtyForms) > 0 && editedId !== undefined;
  const whole = useRef<HTMLDivElement>(null);
  const edited = searches.find(({ id }) => id === editedId);
  const back = (saying: string) => {
    setEditedId(undefined);
    setSaid(saying);
    // What was pressed is gone, and the focus would be lost with it.
    whole.current?.focus({ preventScroll: true });
  };
  return (
    <Dialog
      title={edited === undefined ? 'Saved searches' : 'Edit search'}
      isOpen
      isHeld={isHeld}
      onOpenChange={(isOpen) => isOpen || onClose()}
      {...(edited === undefined ? {} : { onBack: () => back('') })}
    >
      <div ref={whole} tabIndex={-1} className={styles.whole}>
        <p role="status" className={styles.said}>
          <VisuallyHidden>{said}</VisuallyHidden>
        </p>
        {edited !== undefined ? (
          <SearchForm key={edited.id} search={edited} {...{ lists, ownTrades }} onDone={() => back('Search saved')} />
        ) : searches.length === 0 ? (
          <p>No search is saved. Choose filters, then “Save this search” above the list of jobs.</p>
        ) : (
          <>
            <p className={styles.soft}>You can keep {maxSearches}. We can alert you to new jobs that match.</p>
            <ol role="list" className={styles.searches}>
              {searches.map((search, at) => (
                <SavedSearch
                  key={search.id}
                  search={search}
                  lists={lists}
                  isUnsent={unsent.has(search.id)}
                  above={searches[at - 1]}
                  below={searches[at + 1]}
                  afterBelow={searches[at + 2]}
                  onEdit={() => setEditedId(search.id)}
                  onDone={setSaid}
                  onGone={() => back('Search deleted')}
                />
              ))}
            </ol>
          </>
        )}
      </div>
    </Dialog>
  );
}

type SavedSearchProps = {
  readonly search: Search;
  readonly lists: ReferenceLists;
  readonly isUnsent: boolean;
  readonly above: Search | undefined;
  readonly below: Search | undefined;
  /** Before which it stands once it has moved down. */
  readonly afterBelow: Search | undefined;
  readonly onEdit: () => void;
  readonly onDone: (saying: string) => void;
  readonly onGone: () => void;
};

function SavedSearch({ search, lists, isUnsent, above, below, afterBelow, onEdit, onDone, onGone }: SavedSearchProps) {
  const { newId, toasts } = useApp();
  const move = useMutation('search.move', search);
  const remove = useMutation('search.remove', search);
  const save = useMutation('search.save');
  const keep = useLocalWrite();
  const { id, name } = search;
  const goBefore = async (before: Search | undefined, saying: string) => {
    if (await keep(() => move.enqueue({ id, before: before?.id ?? null }))) onDone(saying);
  };
  /** As it was, in its place, under an id of its own: the deleted one stays deleted. */
  const bringBack = async () => {
    const { userId: _one, createdAt: _two, removedAt: _three, ...terms } = search;
    const again = newId();
    const isKept = await keep(() => save.enqueue({ ...terms, id: again }));
    if (isKept && below !== undefined && move.may) await keep(() => move.enqueue({ id: again, before: below.id }));
  };
  const gone = goneWords(search, lists);
  const terms = termsWords(search, lists);
  return (
    <li>
      <h3>{name}</h3>
      {terms !== name && <p className={styles.soft}>{terms}</p>}
      {gone !== undefined && <p className={styles.warn}>{gone}</p>}
      <div className={styles.foot}>
        <Button
          variant="plain"
          icon="arrowUp"
          iconOnlyLabel={`Move up: ${name}`}
          isDisabled={!move.may || above === undefined}
          onPress={() => void goBefore(above, `${name} moved up`)}
        />
        <Button
          variant="plain"
          icon="arrowDown"
          iconOnlyLabel={`Move down: ${name}`}
          isDisabled={!move.may || below === undefined}
          onPress={() => void goBefore(afterBelow, `${name} moved down`)}
        />
        <Button icon="edit" aria-label={`Edit: ${name}`} onPress={onEdit}>
          Edit
        </Button>
        {remove.may && (
          <Button
            variant="plain"
            icon="trash"
            aria-label={`Delete: ${name}`}
            onPress={async () => {
              if (!(await keep(() => remove.enqueue({ id })))) return;
              toasts.show({
                title: 'Search deleted',
                description: name,
                ...(save.may && { undo: () => void bringBack() }),
              });
              onGone();
            }}
          >
            Delete
          </Button>
        )}
        {isUnsent && <ItemStateBadge state={{ kind: 'saved', words: words.saved }} />}
      </div>
    </li>
  );
}

/** A trade or a town that it looks for is no longer in the lists. */
function goneWords({ categoryIds, locationId }: Search, lists: ReferenceLists): string | undefined {
  if (lists.categories.length === 0) return undefined;
  if (categoryIds.some((one) => lists.categoryName(one) === undefined))
    return 'A trade of this search is no longer listed. Edit it to choose another.';
  if (locationId !== null && lists.place(locationId) === undefined)
    return 'The town of this search is no longer listed. Edit it to choose another.';
  return undefined;
}
