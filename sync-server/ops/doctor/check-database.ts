import { sql as rawSql } from 'kysely';
import type { Config } from '../../lib/config.ts';
import type { Database } from '../../db/database.ts';
import { pendingMigrations } from '../../db/pending-migrations.ts';
import { doubt, good, look, missing, type Finding } from './finding.ts';

const about = 'Database';

/** Does it answer, and is it of this version? `database` is left to its opener. */
export async function checkDatabase(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  database: Database | undefined,
): Promise<Finding[]> {
  if (databaseUrl === undefined || database === undefined)
    return [doubt(about, 'DATABASE_URL is not set: everything is kept by the embedded database in DATA_DIR.')];
  const ask = async () => {
    const pending = await pendingMigrations(database);
    return { pending, shared: pending.length === 0 ? await findSharedNzbns(database) : [] };
  };
  return look(about, 'The database', ask, ({ pending, shared }) =>
    pending.length === 0
      ? [
          good(about, 'It answers, and has every migration.'),
          ...shared.map(({ nzbn, ids }) =>
            doubt(
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
async function findSharedNzbns({ sql }: Database): Promise<{ nzbn: string; ids: string[] }[]> {
  const { rows } = await rawSql<{
    nzbn: string;
    ids: string[];
  }>`select t.nzbn, array_agg(t.id::text order by t.created_at, t.id) as ids
    from tradies t join users u on u.id = t.user_id
    where t.nzbn <> '' and u.subscription_status not in ('canceled', 'incomplete_expired') group by t.nzbn having count(*) > 1 order by t.nzbn`.execute(
    sql,
  );
  return rows;
}
