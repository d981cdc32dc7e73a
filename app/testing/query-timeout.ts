import { configure, getConfig } from '@testing-library/dom';

const { getElementError } = getConfig();

/** It is being waited for, and will be asked for again: the library adds the document when the time is over. */
const isAskedAgain = () =>
  (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics === true;

configure({
  // On a busy machine a screen appears late: "not yet" must not fail as "not at all".
  asyncUtilTimeout: 30_000,
  // Printing the document twenty times a second took a tenth of what tests of screens compute.
  getElementError: (words, container) =>
    isAskedAgain()
      ? Object.assign(new Error(words ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(words, container),
});
