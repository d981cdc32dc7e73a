import { Migration } from '@mikro-orm/migrations';

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** What stands behind the bucket in a public address, as the file is called. */
const keyIn = (address: string, bucket: string) =>
  `replace(substring(${address} from '/storage/v1/object/public/${bucket}/(.*)$'), '%20', ' ')`;

/**
 * The file as a row keeps it: by the name it has now, whichever the address says. What is no address of ours stays as
 * it is.
 */
const refOf = (address: string, bucket: string) => `coalesce(
  (select o.bucket_id || '/' || o.name from embedded.objects o where o.bucket_id = '${bucket}' and ${keyIn(address, bucket)} in (o.name, o.former_name)),
  '${bucket}/' || ${keyIn(address, bucket)}, ${address})`;

const statements: readonly string[] = [
  // By this name phones of the earlier version, and addresses that were copied, still find it.
  `alter table embedded.objects add column former_name text collate "C"`,
  `create unique index objects_former_name on embedded.objects (bucket_id, former_name) where former_name is not null`,
  // A name began with its owner's id. What is left of a photo's is its job's folder; a logo gets a folder of its own.
  `update embedded.objects set former_name = name,
     name = case bucket_id when 'job-photos' then substr(name, 38) else gen_random_uuid() || substr(name, 37) end
   where owner_id is not null and starts_with(name, owner_id || '/')
     and (bucket_id <> 'job-photos' or name ~ '^${uuid}/${uuid}/.')`,
  `update jobs set images = (select array_agg(${refOf('image', 'job-photos')} order by place) from unnest(images) with ordinality as shown (image, place))
   where images::text like '%/storage/v1/object/public/job-photos/%'`,
  `update tradies set logo = ${refOf('logo', 'tradie-logos')} where logo like '%/storage/v1/object/public/tradie-logos/%'`,
  // What was typed before a payment that is still to come.
  `update billing_checkout set tradie_data = jsonb_set(tradie_data, '{logo}', to_jsonb(${refOf("(tradie_data ->> 'logo')", 'tradie-logos')}))
   where tradie_data ->> 'logo' like '%/storage/v1/object/public/tradie-logos/%'`,
  // Sealed segments hold the addresses as they were. Everything is sealed again, from the rows.
  `delete from shelf_segment`,
  `update shelf_manifest set shape = ''`,
];

/** Files are kept by bucket and path, whose path names no person (docs/decisions/0011). */
export class FilePaths extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
