import type { CollectionRow } from './tables/collections.ts';

/*
 * What two public pages hold for a visitor before the app: the server writes it into their documents, drawn by the
 * app's own components (app/documents.tsx), and the app begins with it where it takes such a document over.
 */

/** Public details of a business that the directory's copy lacks. */
export interface TradieDetails {
  readonly nzbn: string;
  /** The register's name of the holder of the number; '' where it has not said. */
  readonly registeredName: string;
  readonly contactPerson: string;
  readonly businessAddress: string;
}

/** A business on its own page: its line in the directory, its public details, and the words for its ids. */
export interface InlinedTradie {
  readonly listed: CollectionRow<'directory'>;
  readonly details: TradieDetails;
  readonly trades: readonly string[];
  /** '' where it has named no town. */
  readonly place: string;
}

/** A business as the directory lists it, in words. */
export interface InlinedCard
  extends
    Pick<CollectionRow<'directory'>, 'id' | 'businessName' | 'logo' | 'isVerified'>,
    Pick<InlinedTradie, 'trades' | 'place'> {}

/** The beginning of the directory, A to Z. */
export interface InlinedDirectory {
  /** How many businesses there are in all. */
  readonly total: number;
  readonly cards: readonly InlinedCard[];
}

/** The parameters of an address that asks for some of the directory, or for another order. */
export const directoryParameters = ['q', 'trades', 'region', 'town', 'sort'] as const;

/** What a build of the app leaves for the server, at `documentsFile`. Each returns markup for its document's root. */
export interface Documents {
  tradie(inlined: InlinedTradie): string;
  /** `inlined` undefined: the address asks for something else than all of them, which the app finds. */
  directory(inlined: InlinedDirectory | undefined): string;
}

/** In the build's folder; never served, since its folder's name begins with a dot. */
export const documentsFile = '.server/documents.mjs';
