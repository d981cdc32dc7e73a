const boundaries = require('./.dependency-cruiser.cjs');

/*
 * Modules (folders), without their tests: two that import each other, directly or through others, are one module, or
 * need a third.
 */
module.exports = {
  forbidden: [{ name: 'modules-one-way', severity: 'error', scope: 'folder', from: {}, to: { circular: true } }],
  options: {
    ...boundaries.options,
    exclude: { path: `${boundaries.options.exclude.path}|\\.(test|spec)\\.tsx?$|/testing/` },
  },
};
