/*
 * The product's data in plain rows. Nothing in this folder is imported from the product: it is the independent model
 * that the checker compares the product with.
 */

export interface Person {
  readonly id: string;
  readonly tradieId: string | null;
  readonly subscriptionStatus: string | null;
  readonly subscriptionValidUntil: string | null;
}

export interface Job {
  readonly id: string;
  readonly userId: string | null;
  readonly title: string;
  readonly description: string;
  readonly locationId: string | null;
  readonly budgetMin: number | null;
  readonly budgetMax: number | null;
  readonly urgency: string;
  readonly categoryId: string;
  readonly status: string;
  readonly images: readonly string[];
  readonly interestCount: number;
  readonly address: string | null;
  readonly suburb: string | null;
  readonly createdAt: string;
  readonly closedAt: string | null;
}

export interface Interest {
  readonly id: string;
  readonly jobId: string;
  readonly tradieId: string;
  readonly userId: string;
  readonly ownerId: string | null;
  readonly note: string;
  readonly contactedAt: string | null;
  readonly ownerNote: string | null;
  readonly seenAt: string | null;
  readonly isSeen: boolean;
  readonly createdAt: string;
}

export interface Tradie {
  readonly id: string;
  readonly userId: string;
  readonly businessName: string;
  readonly isVerified: boolean;
  readonly logo: string;
  readonly [field: string]: unknown;
}

export interface Mark {
  readonly id: string;
  readonly userId: string;
  readonly jobId: string;
  readonly title: string;
  readonly hiddenAt: string | null;
  readonly shortlistedAt: string | null;
  readonly remindAt: string | null;
}

export interface Search {
  readonly id: string;
  readonly userId: string;
  readonly lookedUntil: string | null;
  readonly removedAt: string | null;
  readonly [field: string]: unknown;
}

export interface Preferences {
  readonly id: string;
  readonly userId: string;
  readonly tellsSeen: boolean;
  readonly preparedNotes: readonly string[];
  readonly searchOrder: readonly string[];
  readonly [alerts: string]: unknown;
}

/** Every table by id. A row is never changed in place: a reader that holds one can tell whether it was replaced. */
export interface State {
  readonly users: Map<string, Person>;
  readonly jobs: Map<string, Job>;
  readonly interests: Map<string, Interest>;
  readonly tradies: Map<string, Tradie>;
  readonly marks: Map<string, Mark>;
  readonly searches: Map<string, Search>;
  readonly preferences: Map<string, Preferences>;
}

export const emptyState = (): State => ({
  users: new Map(),
  jobs: new Map(),
  interests: new Map(),
  tradies: new Map(),
  marks: new Map(),
  searches: new Map(),
  preferences: new Map(),
});

export const copyOf = ({ users, jobs, interests, tradies, marks, searches, preferences }: State): State => ({
  users: new Map(users),
  jobs: new Map(jobs),
  interests: new Map(interests),
  tradies: new Map(tradies),
  marks: new Map(marks),
  searches: new Map(searches),
  preferences: new Map(preferences),
});
