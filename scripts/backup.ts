/* `npm run backup`: copies the database and the files beside it into DATA_DIR/backups, also while servers run. A PostgreSQL by pg_dump. */
import { runCommand } from './run-command.ts';

const { folder, databaseBytes, files } = (await runCommand('backup.take', {})) as { folder: string; databaseBytes: number; files: number };
console.log(`${folder}: the database (${(databaseBytes / 1024 / 1024).toFixed(1)} MiB) and ${files} files.\nCopy it to another machine: a backup beside its original is lost with it.`);
