import type { AnswerOf } from '../../../shared/api/index.ts';
import type { InlinedTradie, TradieDetails } from '../../../shared/inlined.ts';
import type { Tradie } from '../../../shared/tables/index.ts';
import type { SavedProfile } from '../../db/person-db.ts';
import type { ListedTradie } from './filter-tradies.ts';

export interface TradieContact {
  readonly email: string;
  readonly phone: string | null;
}

/** A profile as the page shows it, wherever it came from. */
export interface TradieFacts {
  readonly id: string;
  readonly businessName: string;
  readonly logo: string;
  readonly description: string;
  readonly categoryIds: readonly string[];
  readonly locationId: string | null;
  readonly isVerified: boolean;
  /** Absent in the directory's copy. */
  readonly details: TradieDetails | undefined;
  /** Only for those who are signed in, and absent in the directory's copy. */
  readonly contact: TradieContact | undefined;
}

type Profile = Omit<SavedProfile, 'readAt'> | (Tradie & { registeredName?: string | undefined });

export function factsOfProfile(profile: Profile): TradieFacts {
  const { nzbn, businessAddress, email, contactPhone } = profile;
  const contactPerson = [profile.contactPersonFirstName, profile.contactPersonLastName].filter(Boolean).join(' ');
  return {
    ...factsOfListed(profile),
    details: { nzbn, registeredName: profile.registeredName ?? '', contactPerson, businessAddress },
    contact: email === '' ? undefined : { email, phone: contactPhone },
  };
}

export function factsOfListed(tradie: Pick<ListedTradie, keyof TradieFacts & keyof ListedTradie>): TradieFacts {
  const { id, businessName, logo, description, categoryIds, locationId, isVerified } = tradie;
  const listed = { id, businessName, logo, description, categoryIds, locationId, isVerified };
  return { ...listed, details: undefined, contact: undefined };
}

/** As the server wrote it into the business's own page. */
export function factsOfInlined({ listed, details }: InlinedTradie): TradieFacts {
  return { ...factsOfListed(listed), details };
}

/** An answer as it is kept on the device; signed out there is no email in it, which '' stands for. */
export function profileOfAnswer(answer: AnswerOf<'tradies.read'>): Omit<SavedProfile, 'readAt'> {
  const { categories, email, contactPhone, ...rest } = answer;
  return {
    ...rest,
    categoryIds: categories.map(({ id }) => id),
    email: email ?? '',
    contactPhone: contactPhone ?? null,
  };
}
