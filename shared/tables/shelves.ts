import { tables, type RowOf, type TableName } from './index.ts';

export interface ShelfDefinition<Table extends TableName = TableName> {
  readonly table: Table;
  /** What travels: an allow-list, so that a new column is private until somebody puts it here. */
  readonly columns: readonly (keyof RowOf<Table> & string)[];
  /** Only rows with these values stand on the shelf. */
  readonly where: Readonly<Record<string, string>>;
  /** `subscription`: tradies with a running subscription only. `public`: anybody, signed out too. */
  readonly readers: 'public' | 'subscription';
}

/** Keeps the table's name narrow while the columns are checked against its row. */
function defineShelf<Table extends TableName, const Columns extends readonly (keyof RowOf<Table> & string)[]>(
  shelf: ShelfDefinition<Table> & { columns: Columns },
) {
  return shelf;
}

/**
 * Shared, read-only collections. Neither a homeowner's anything nor a tradie's contacts are among the columns.
 */
export const shelves = {
  reference: defineShelf({
    table: 'reference',
    columns: ['id', 'kind', 'name', 'region', 'createdAt'],
    where: {},
    readers: 'public',
  }),
  directory: defineShelf({
    table: 'tradies',
    columns: ['id', 'businessName', 'logo', 'description', 'categoryIds', 'locationId', 'isVerified', 'createdAt'],
    where: {},
    readers: 'public',
  }),
  feed: defineShelf({
    table: 'jobs',
    columns: [
      'id', 'title', 'description', 'locationId', 'budgetMin', 'budgetMax', 'urgency', 'categoryId',
      'status', 'images', 'interestCount', 'address', 'suburb', 'createdAt',
    ],
    where: { status: 'active' },
    readers: 'subscription',
  }),
} as const;

export type ShelfName = keyof typeof shelves;
export const shelfNames = Object.keys(shelves) as ShelfName[];

/** A row as it stands on a shelf: the table's row, but only the shelf's columns. */
export type ShelfRow<Name extends ShelfName> = Pick<
  RowOf<(typeof shelves)[Name]['table']>,
  (typeof shelves)[Name]['columns'][number] & keyof RowOf<(typeof shelves)[Name]['table']>
>;

/** A shelf's columns as plain names, for code that runs over any shelf. */
export function shelfColumns(name: ShelfName): readonly string[] {
  return shelves[name].columns;
}

/** The shelf on which rows of this table stand, if any. */
export function shelfOfTable(table: TableName): ShelfName | undefined {
  return shelfNames.find((name) => shelves[name].table === table);
}

/** A shelf's row widened to its table's row, null for what does not travel: how a feed job comes onto the desk. */
export function widenShelfRow<Name extends ShelfName>(
  name: Name,
  row: ShelfRow<Name>,
): RowOf<(typeof shelves)[Name]['table']> {
  const wide: Record<string, unknown> = {};
  for (const column of tables[shelves[name].table].columns) wide[column] = null;
  return { ...wide, ...row } as unknown as RowOf<(typeof shelves)[Name]['table']>;
}
