import { parseArgs } from 'node:util';

/*
 * Runs on Node 20.19 with nothing installed: plain JavaScript, Node's own modules only.
 */

/**
 * What a command was called with, before it does anything: `--help` prints its use and ends with 0; what its use does
 * not know, and a number that is none, are said in a line, with the use, and end with 2.
 *
 * @param {string} use a line for each way to call it
 * @param options as `parseArgs` takes them; `isNumber`: a whole number
 * @param settings `args`: the words, those of the process unless they are given
 */
export function readArguments(use, options = {}, { allowPositionals = false, args = process.argv.slice(2) } = {}) {
  const given = parsed(use, {
    options: { ...options, help: { type: 'boolean', short: 'h', default: false } },
    allowPositionals,
    args,
  });
  const { help, ...values } = given.values;
  if (help) {
    console.log(use);
    process.exit(0);
  }
  for (const [name, { isNumber }] of Object.entries(options)) {
    if (isNumber && values[name] !== undefined && !/^\d+$/.test(values[name]))
      refuse(use, `--${name} takes a whole number, not “${values[name]}”.`);
  }
  return { values, positionals: given.positionals };
}

/** Ends a command that was called wrongly: why, and how it is called. */
export function refuse(use, why) {
  console.error(`${why}\n\n${use}`);
  process.exit(2);
}

function parsed(use, config) {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's own words go on to explain how to pass words that begin with a dash, which no command of ours takes.
    return refuse(use, error.message.split(/\. (To specify|This command)/)[0].replace(/\.?$/, '.'));
  }
}
