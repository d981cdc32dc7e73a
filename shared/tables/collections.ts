import { tables, type RowOf, type TableName } from './index.ts';

export interface CollectionDefinition<Table extends TableName = TableName> {
  readonly table: Table;
  /** What travels: an allow-list, so that a new column is private until it is listed here. */
  readonly columns: readonly (keyof RowOf<Table> & string)[];
  /** Only rows with these values are in the collection. */
  readonly where: Readonly<Record<string, string>>;
  /** The column with a row's town: a large collection is cut by its regions, so that a device begins with its own. */
  readonly townColumn?: (keyof RowOf<Table> & string) | undefined;
  /** `subscription`: tradies with a running subscription only. `public`: every visitor, signed out too. */
  readonly readers: 'public' | 'subscription';
}

/** Keeps the table's name narrow while the columns are checked against its row. */
function defineCollection<Table extends TableName, const Columns extends readonly (keyof RowOf<Table> & string)[]>(
  collection: CollectionDefinition<Table> & { columns: Columns },
) {
  return collection;
}

/**
 * Shared, read-only collections. No column identifies a homeowner or holds a tradie's contacts.
 */
export const collections = {
  reference: defineCollection({
    table: 'reference',
    columns: ['id', 'kind', 'name', 'region', 'latitude', 'longitude', 'isApproximate', 'createdAt'],
    where: {},
    readers: 'public',
  }),
  directory: defineCollection({
    table: 'tradies',
    columns: ['id', 'businessName', 'logo', 'description', 'categoryIds', 'locationId', 'isVerified', 'createdAt'],
    where: {},
    readers: 'public',
  }),
  feed: defineCollection({
    table: 'jobs',
    columns: [
      'id',
      'title',
      'description',
      'locationId',
      'budgetMin',
      'budgetMax',
      'urgency',
      'categoryId',
      'status',
      'images',
      'interestCount',
      'address',
      'suburb',
      'createdAt',
    ],
    where: { status: 'active' },
    townColumn: 'locationId',
    readers: 'subscription',
  }),
} as const;

export type CollectionName = keyof typeof collections;
export const collectionNames = Object.keys(collections) as CollectionName[];

/** A row as it is in a collection: the table's row, but only the collection's columns. */
export type CollectionRow<Name extends CollectionName> = Pick<
  RowOf<(typeof collections)[Name]['table']>,
  (typeof collections)[Name]['columns'][number] & keyof RowOf<(typeof collections)[Name]['table']>
>;

/** A collection's columns as plain names, for code that runs over any collection. */
export function collectionColumns(name: CollectionName): readonly string[] {
  return collections[name].columns;
}

/** The collection in which rows of this table are, if any. */
export function collectionOfTable(table: TableName): CollectionName | undefined {
  return collectionNames.find((name) => collections[name].table === table);
}

/**
 * A collection's row widened to its table's row, null for what does not travel: how a feed job gets into the private
 * tables.
 */
export function widenCollectionRow<Name extends CollectionName>(
  name: Name,
  row: CollectionRow<Name>,
): RowOf<(typeof collections)[Name]['table']> {
  const wide: Record<string, unknown> = {};
  for (const column of tables[collections[name].table].columns) wide[column] = null;
  return { ...wide, ...row } as unknown as RowOf<(typeof collections)[Name]['table']>;
}
