import { createId } from '../lib/id.ts';
import type { Interest, Job, Mark, Reference, Search, Tradie, User } from '../tables/index.ts';
import { seededRandom } from './random-source.ts';

/*
 * Valid rows for tests. Ids are new with every call but the same from run to run, because the source is seeded.
 */
const random = seededRandom(1);
const start = Date.UTC(2026, 0, 1);
let made = 0;

export function makeTestId(): string {
  made += 1;
  return createId(start + made, random);
}

const createdAt = () => new Date(start + made * 60_000).toISOString();

export function makeUser(changes: Partial<User> = {}): User {
  const id = makeTestId();
  return {
    id,
    email: `person-${id.slice(-6)}@example.nz`,
    firstName: 'Aroha',
    lastName: 'Ngata',
    tradieId: null,
    subscriptionStatus: null,
    subscriptionValidUntil: null,
    createdAt: createdAt(),
    ...changes,
  };
}

export function makeTradie(changes: Partial<Tradie> = {}): Tradie {
  const id = makeTestId();
  return {
    id,
    userId: makeTestId(),
    businessName: 'Southern Spouting',
    nzbn: '9429040402543',
    isVerified: true,
    logo: '',
    description: 'Spouting and small roof repairs.',
    categoryIds: ['spouting'],
    contactPersonFirstName: 'Wiremu',
    contactPersonLastName: 'Parata',
    businessAddress: '12 Station Road, Winton',
    email: `trade-${id.slice(-6)}@example.nz`,
    contactPhone: '+64211234567',
    locationId: 'southland/winton',
    createdAt: createdAt(),
    ...changes,
  };
}

export function makeJob(changes: Partial<Job> = {}): Job {
  return {
    id: makeTestId(),
    userId: makeTestId(),
    title: 'Replace spouting on the south side',
    description: 'About 14 metres, single storey. The old one leaks at two joins.',
    locationId: 'southland/winton',
    budgetMin: null,
    budgetMax: 1_200,
    urgency: 'soon',
    categoryId: 'spouting',
    status: 'active',
    images: [],
    interestCount: 0,
    address: null,
    suburb: null,
    createdAt: createdAt(),
    closedAt: null,
    ...changes,
  };
}

export function makeInterest(changes: Partial<Interest> = {}): Interest {
  return {
    id: makeTestId(),
    jobId: makeTestId(),
    tradieId: makeTestId(),
    userId: makeTestId(),
    ownerId: makeTestId(),
    note: 'I could come by on Thursday.',
    contactedAt: null,
    ownerNote: null,
    seenAt: null,
    isSeen: false,
    createdAt: createdAt(),
    ...changes,
  };
}

export function makeMark(changes: Partial<Mark> = {}): Mark {
  return {
    id: makeTestId(),
    userId: makeTestId(),
    jobId: makeTestId(),
    title: 'Replace spouting on the south side',
    hiddenAt: null,
    shortlistedAt: null,
    remindAt: null,
    ...changes,
  };
}

export function makeSearch(changes: Partial<Search> = {}): Search {
  return {
    id: makeTestId(),
    userId: makeTestId(),
    name: 'Spouting in Southland',
    categoryIds: ['spouting'],
    region: 'Southland',
    locationId: null,
    withinKm: null,
    maxBudget: null,
    urgencies: [],
    words: '',
    lookedUntil: null,
    createdAt: createdAt(),
    removedAt: null,
    ...changes,
  };
}

export function makeReference(changes: Partial<Reference> = {}): Reference {
  return {
    id: 'spouting',
    kind: 'category',
    name: 'Spouting and Guttering',
    region: null,
    latitude: null,
    longitude: null,
    isApproximate: null,
    createdAt: createdAt(),
    ...changes,
  };
}
