/** How tests compile TypeScript: types are stripped, and checked elsewhere. */
export const SWC_OPTIONS = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'es6' },
};
