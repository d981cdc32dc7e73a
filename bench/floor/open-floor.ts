import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { packSegment } from '../../shared/protocol/segment.ts';
import { collectionColumns, type CollectionName, type CollectionRow } from '../../shared/tables/collections.ts';
import { referenceRows } from '../../sync-server/db/seed/reference-rows.ts';
import type { World } from '../world/open-world.ts';

/** The lower bound: a bare server beside the product's, without accounts, checks or a store. */
export interface Floor {
  readonly url: string;
  /** Of everything a new tradie's phone gets: one column-wise body, brotli, and the same row by row, gzip. */
  readonly columnsBytes: number;
  readonly rowsGzipBytes: number;
  close(): Promise<void>;
}

const compress = (text: string) =>
  brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
  });

/** Rows on the wire: the collection's columns only, one object a row, gzip. */
export function gzippedRows(collection: CollectionName, rows: readonly object[]): number {
  return gzipSync(JSON.stringify(asRows(collection, rows))).length;
}

function asRows(collection: CollectionName, rows: readonly object[]): object[] {
  return rows.map((row) =>
    Object.fromEntries(
      collectionColumns(collection).map((column) => [column, (row as Record<string, unknown>)[column]]),
    ),
  );
}

const page = '<!doctype html><title>Floor</title><input type="search" aria-label="Search"><p></p>';

/**
 * `GET /rows`: everything in one body. `GET /changed`: 200 jobs in one. `POST /insert`: jobs straight into PostgreSQL.
 * `POST /relay` to `GET /stream`: what one page posts, another receives.
 */
export async function openFloor(world: World): Promise<Floor> {
  const { jobs, tradies } = world.rows;
  const collections: readonly [CollectionName, readonly object[]][] = [
    ['feed', jobs],
    ['directory', tradies],
    ['reference', referenceRows()],
  ];
  const bodyOf = (parts: readonly (readonly [CollectionName, readonly object[]])[]) =>
    compress(
      `{${parts.map(([collection, rows]) => `"${collection}":${packSegment(collection, rows as CollectionRow<CollectionName>[])}`).join()}}`,
    );
  const everything = bodyOf(collections);
  const changed = bodyOf([['feed', jobs.slice(-200)]]);
  const rowWise = gzipSync(
    JSON.stringify(Object.fromEntries(collections.map(([collection, rows]) => [collection, asRows(collection, rows)]))),
  );
  await sql`create table bench_floor (like jobs)`.execute(world.database.sql);
  const streams = new Set<ServerResponse>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const json = {
      'content-type': 'application/json',
      'content-encoding': 'br',
      'cache-control': 'private, max-age=31536000, immutable',
    };
    switch (request.url) {
      case '/rows':
        return void response.writeHead(200, json).end(everything);
      case '/changed':
        return void response.writeHead(200, { ...json, 'cache-control': 'no-store' }).end(changed);
      case '/insert': {
        const rows = JSON.parse(await textOf(request)) as unknown[];
        // Into a table like the jobs', without triggers.
        await sql`insert into bench_floor select * from jsonb_populate_recordset(null::bench_floor, ${JSON.stringify(rows)}::jsonb)`.execute(
          world.database.sql,
        );
        return void response.writeHead(204).end();
      }
      case '/stream':
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write(':\n\n');
        streams.add(response);
        return void response.on('close', () => streams.delete(response));
      case '/relay': {
        const said = await textOf(request);
        for (const stream of streams) stream.write(`data: ${said}\n\n`);
        return void response.writeHead(204).end();
      }
      default:
        return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    }
  };
  const server = createServer(
    (request, response) =>
      void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    columnsBytes: everything.length,
    rowsGzipBytes: rowWise.length,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await sql`drop table bench_floor`.execute(world.database.sql);
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += String(piece);
  return text;
}
