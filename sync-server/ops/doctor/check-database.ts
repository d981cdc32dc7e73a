import type { Config } from '../../lib/config.ts';
import type { Database } from '../../db/database.ts';
import { pendingMigrations } from '../../db/pending-migrations.ts';
import { warning, good, lookUp, missing, type Finding } from './finding.ts';

const about = 'Database';

/** Does it answer, and is it of this version? `database` is left to its opener. */
export async function checkDatabase(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  database: Database | undefined,
): Promise<Finding[]> {
  if (databaseUrl === undefined || database === undefined)
    return [warning(about, 'DATABASE_URL is not set: everything is kept by the embedded database in DATA_DIR.')];
  const ask = async () => {
    const pending = await pendingMigrations(database);
    return { pending, shared: pending.length === 0 ? await findSharedNzbns(database) : [] };
  };
  return lookUp(about, 'The database', ask, ({ pending, shared }) =>
    pending.length === 0
      ? [
          good(about, 'It answers, and has every migration.'),
          ...shared.map(({ nzbn, ids }) =>
            warning(
              about,
              `More than one live business has the NZBN ${nzbn}, from before that was refused: the profiles ${ids.join(', ')}, the oldest first. Ask them whose it is.`,
            ),
          ),
        ]
      : [
          missing(
            about,
            `It lacks ${pending.join(', ')}: run \`npm run migrate\`, or start the server, which does it.`,
          ),
        ],
  );
}

/** Numbers of more than one live business, with the ids of the profiles, the oldest first. */
function findSharedNzbns({ sql }: Database): Promise<{ nzbn: string; ids: string[] }[]> {
  return sql
    .selectFrom('tradies as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(({ fn, cast }) => [
      't.nzbn',
      fn
        .agg<string[]>('array_agg', [cast<string>('t.id', 'text')])
        .orderBy('t.created_at')
        .orderBy('t.id')
        .as('ids'),
    ])
    .where('t.nzbn', '<>', '')
    .where('u.subscription_status', 'not in', ['canceled', 'incomplete_expired'])
    .groupBy('t.nzbn')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .orderBy('t.nzbn')
    .execute();
}
