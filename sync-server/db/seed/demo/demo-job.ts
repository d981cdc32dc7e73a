/** One homeowner's job; ids, owner's id and photo addresses are made when it is seeded. */
export interface DemoJob {
  title: string;
  description: string;
  locationId: string;
  categoryId: string;
  urgency: 'slow' | 'soon' | 'urgent';
  /** Dollars; absent: none given. */
  budgetMax?: number;
  /** How long before the seeding it was posted, in hours. */
  hoursAgo: number;
  /** How many hours before the seeding its owner closed it. */
  closedHoursAgo?: number;
  /** A demo account's name; absent: a neighbour without an account. */
  owner?: 'homeowner' | 'homeowner2';
  /** Names of files in `pictures`. */
  photos?: readonly string[];
}
