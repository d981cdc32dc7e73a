/*
 * A container's own question: does the server in here answer? Exit 0 for yes. It says nothing of the database:
 * restarting this process would not mend that one.
 */
const { PORT = '8080' } = process.env;
const answer = await fetch(`http://127.0.0.1:${PORT}/health/live`, { signal: AbortSignal.timeout(4_000) }).catch(
  () => undefined,
);
process.exit(answer?.ok === true ? 0 : 1);
