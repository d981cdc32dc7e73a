import { firstStart, openServer } from './open-server.ts';

/** Once before all tests in a browser: a first start on an empty folder, whose data every test’s own server begins with. */
// oxlint-disable-next-line import/no-default-export -- playwright reads the default export
export default async function prepare(): Promise<() => Promise<void>> {
  const server = await openServer();
  await server.stop();
  process.env[firstStart] = server.dataDir;
  return async () => {
    delete process.env[firstStart];
    await server.close();
  };
}
