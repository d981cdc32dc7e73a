import { sql as rawSql } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { CollectionReads, CollectionWrites, StoredSegment } from './collection-tables.ts';

/** Manifests and segments written to PostgreSQL, and segments read from it. */
export function sqlSegments(sql: Sql): CollectionWrites & Pick<CollectionReads, 'findSegments' | 'readSegment'> {
  return {
    async acquireLease(collection, { id, now, until }) {
      const { rows } =
        await rawSql`insert into shelf_manifest as held (shelf, version, shape, segments, lease, lease_until) values (${collection}, 0, '', '[]', ${id}, ${until})
        on conflict (shelf) do update set lease = excluded.lease, lease_until = excluded.lease_until
        where held.lease is null or held.lease_until < ${now} returning 1`.execute(sql);
      return rows.length > 0;
    },

    async extendLease(collection, { id, until }) {
      const { rows } =
        await rawSql`update shelf_manifest set lease_until = ${until} where shelf = ${collection} and lease = ${id} returning 1`.execute(
          sql,
        );
      return rows.length > 0;
    },

    async releaseLease(collection, { id }) {
      await rawSql`update shelf_manifest set lease = null, lease_until = null where shelf = ${collection} and lease = ${id}`.execute(
        sql,
      );
    },

    async switchManifest(collection, lease, { version, shape, entries }) {
      const { rows } =
        await rawSql`update shelf_manifest set version = ${version}, shape = ${shape}, segments = ${JSON.stringify(entries)}::jsonb,
        sealed_at = ${lease.now}, lease = null, lease_until = null where shelf = ${collection} and lease = ${lease.id} returning 1`.execute(
          sql,
        );
      return rows.length > 0;
    },

    async writeSegment(collection, at, { hash, rows, bytes, br, gzip }) {
      await rawSql`insert into shelf_segment (hash, shelf, rows, bytes, body_br, body_gzip, sealed_at)
        values (${hash}, ${collection}, ${rows}, ${bytes}, ${br}, ${gzip}, ${at}) on conflict (hash) do nothing`.execute(
        sql,
      );
    },

    async retireSegments(collection, standing, { now, unreferencedBefore }) {
      await rawSql`update shelf_segment set unreferenced_at = case when hash = any(${standing}) then null else ${now}::timestamptz end
        where shelf = ${collection} and (unreferenced_at is null) <> (hash = any(${standing}))`.execute(sql);
      await rawSql`delete from shelf_segment where shelf = ${collection} and unreferenced_at < ${unreferencedBefore}`.execute(
        sql,
      );
    },

    async findSegments(hashes) {
      const { rows } = await rawSql<{
        hash: string;
      }>`select hash from shelf_segment where hash = any(${hashes})`.execute(sql);
      return new Set(rows.map(({ hash }) => hash));
    },

    async readSegment(collection, hash) {
      const { rows } =
        await rawSql<StoredSegment>`select hash, rows, bytes, body_br as br, body_gzip as gzip from shelf_segment
        where hash = ${hash} and shelf = ${collection}`.execute(sql);
      return rows[0];
    },
  };
}
