const walls = require('./.dependency-cruiser.cjs');

/* Modules (folders), tests left out: two that import each other, directly or through others, are one module, or need a third. */
module.exports = {
  forbidden: [{ name: 'modules-one-way', severity: 'error', scope: 'folder', from: {}, to: { circular: true } }],
  options: { ...walls.options, exclude: { path: `${walls.options.exclude.path}|\\.(test|spec)\\.tsx?$|/testing/|/stress/` } },
};
