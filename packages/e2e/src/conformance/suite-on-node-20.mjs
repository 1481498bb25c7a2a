// Preloaded into the conformance suite (node --import): it imports `globSync` of `fs`, which Node.js has since version 22,
// for a command that the tests do not use.
import { register } from 'node:module';

const moduleOf = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const FS = moduleOf(
  "export * from 'node:fs'; export const globSync = () => { throw new Error('not in Node.js 20'); };",
);
register(
  moduleOf(`export const resolve = (specifier, context, next) =>
    specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
      ? { url: ${JSON.stringify(FS)}, shortCircuit: true }
      : next(specifier, context);`),
);
